/** Between a menu and its button, and between it and the edge of the screen. */
const GAP = 8;
/** What covers the top of the screen. */
const HEADER = 56;

/** A long menu of a button far down goes up where there is more room, and scrolls where that is not enough. */
export function fitMenu(popup: HTMLElement | null): void {
  const button = popup?.previousElementSibling;
  if (!popup || !button) return;
  const { top, bottom } = button.getBoundingClientRect();
  const below = innerHeight - bottom - 2 * GAP;
  const above = top - HEADER - 2 * GAP;
  const up = popup.scrollHeight > below && above > below;
  Object.assign(popup.style, {
    overflowY: 'auto',
    overscrollBehavior: 'contain',
    maxHeight: `${up ? above : below}px`,
    ...(up ? { top: 'auto', bottom: '100%', margin: `0 0 ${GAP}px` } : {}),
  });
}
