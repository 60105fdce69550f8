/** Whether keys are text where the focus is. Radio buttons and checkboxes take none: the page's keys work beside them. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(radio|checkbox|button|submit)$/.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Whether a key is the page's: nothing is being typed, and no dialog is open. */
export function isForPage({ target }: KeyboardEvent): boolean {
  return !isTyping(target) && document.querySelector('[role=dialog],[role=alertdialog]') === null;
}
