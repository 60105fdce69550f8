/** A page that arrives late must not take the focus from somebody who is already typing in the search box. */
export function mayTakeFocus(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
