/** The box of the list, the same while it loads; on a phone it spans the screen. */
export const panelClass =
  'absolute top-full right-0 z-40 mt-2 w-[min(400px,calc(100vw-24px))] overflow-hidden rounded-xl border border-line-strong bg-raised shadow-pop outline-none max-sm:fixed max-sm:inset-x-3 max-sm:top-[calc(var(--header-height)+4px)] max-sm:mt-0 max-sm:w-auto';
