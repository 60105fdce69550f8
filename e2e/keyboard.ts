import type { Locator, Page } from '@playwright/test';

/** More stops than any page has before what a test looks for. */
const STOPS_MAX = 80;

/** A dialog that has just opened takes the focus to itself with one of the next frames. */
async function keepsFocus(element: Element): Promise<boolean> {
  if (element !== document.activeElement) return false;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return element === document.activeElement;
}

/** Moves the focus with the Tab key alone, as somebody without a pointer does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await target.evaluate(keepsFocus)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target.toString()} cannot be reached with the Tab key`);
}
