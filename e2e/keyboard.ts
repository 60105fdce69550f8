import type { Locator, Page } from '@playwright/test';

/** More stops than any page has before what a test looks for. */
const STOPS_MAX = 80;

/** Moves the focus with the Tab key alone, as somebody without a pointer does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target.toString()} cannot be reached with the Tab key`);
}
