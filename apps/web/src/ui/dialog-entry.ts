// The part of close-on-back.ts that must be there before the router: who listens to `popstate` first hears of it first.

/** The state of an entry; over a page's entry, that of an open dialog names it. */
export type EntryState = { key?: string; dialogOver?: string } | null;

export const beforeRouter: { onMove?: (event: PopStateEvent) => void } = {};
addEventListener('popstate', (event) => beforeRouter.onMove?.(event));

// Reloaded with a dialog open, which is gone.
if ((history.state as EntryState)?.dialogOver !== undefined) history.back();
