const AGAIN_AFTER_MS = 2_000;
const TRIES_MAX = 5;

/**
 * Loads code or texts. What `lazy` could not load it never asks for again, and the page goes with it: a moment without a
 * connection must not end in that. While the browser is offline it is asked as long as it takes.
 */
export async function loadPatiently<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let tries = 1; ; tries += navigator.onLine ? 1 : 0) {
    try {
      return await load();
    } catch (error) {
      if (tries >= TRIES_MAX) throw error;
    }
    await new Promise((again) => setTimeout(again, AGAIN_AFTER_MS));
  }
}
