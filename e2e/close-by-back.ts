import type { Page } from '@playwright/test';

/** Presses Back while something lies over the page, once the browser stands on the entry of it. */
export async function closeByBack(page: Page): Promise<void> {
  await page.waitForFunction(() => (history.state as { dialogOver?: string } | null)?.dialogOver !== undefined);
  await page.goBack();
}
