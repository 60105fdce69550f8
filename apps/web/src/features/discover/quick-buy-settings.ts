// The amounts of a purchase are kept in this browser for each account, for Discover and for the trade panel; the slippage is kept in
// the account.
export type QuickBuySettings = {
  amounts: readonly [string, string, string];
  /** The user has read what a click does. */ armed: boolean;
};

/** One account's: that somebody else of this browser has read what a click does is no reason to buy without a question. */
const keyOf = (account: string) => `discover.quickBuy.of.${account}`;
const usualAmounts = ['0.1', '0.5', '1'] as const;

export function isBuyAmount(text: unknown): text is string {
  return typeof text === 'string' && /^\d{1,6}(\.\d{1,9})?$/.test(text) && /[1-9]/.test(text);
}

export function readQuickBuy(storage: Pick<Storage, 'getItem'>, account: string): QuickBuySettings {
  try {
    const stored = JSON.parse(storage.getItem(keyOf(account)) ?? '{}') as Record<string, unknown>;
    const amounts = stored['amounts'];
    const usable = Array.isArray(amounts) && amounts.length === 3 && amounts.every(isBuyAmount);
    return { amounts: usable ? (amounts as [string, string, string]) : usualAmounts, armed: stored['armed'] === true };
  } catch {
    return { amounts: usualAmounts, armed: false };
  }
}

export function writeQuickBuy(storage: Pick<Storage, 'setItem'>, account: string, settings: QuickBuySettings): void {
  storage.setItem(keyOf(account), JSON.stringify(settings));
}
