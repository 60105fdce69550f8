// The header's box and the product's name in it, shared with what index.html paints before the app is there.

export const headerClass =
  'sticky top-0 z-30 flex h-[var(--header-height)] items-center gap-2 border-b border-line bg-surface px-3 sm:gap-3 sm:px-5';
export const productClass = 'flex shrink-0 items-center gap-[9px] text-lg font-bold tracking-[0.2px]';
