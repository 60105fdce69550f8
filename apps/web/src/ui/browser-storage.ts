export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What the browser did not take: it lasts as long as the page. */
const ownTexts = new Map<string, string>();

/** Storage may be forbidden, when even its name throws, or be full: the page then keeps its texts itself. */
export const browserStorage: TextStorage = {
  getItem: (key) => ownTexts.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null,
  setItem: (key, value) => {
    ownTexts.set(key, value);
    attempt(() => {
      localStorage.setItem(key, value);
      ownTexts.delete(key);
    });
  },
  removeItem: (key) => {
    ownTexts.delete(key);
    attempt(() => localStorage.removeItem(key));
  },
};

function attempt<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
