// Messages vanish by themselves, on a busy machine before a test looks at them. A page therefore keeps their texts.
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

/** Before the page is opened. The texts are kept in the document, so that waiting for one survives a navigation. */
export async function rememberToasts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    new MutationObserver(() => {
      const before = seen.size;
      for (const toast of document.querySelectorAll('[data-toast]'))
        seen.add(toast.textContent.replaceAll(/\s+/g, ' ').trim());
      if (seen.size > before) document.documentElement.dataset['toasts'] = [...seen].join('\n');
    }).observe(document, { childList: true, subtree: true });
  });
}

/** There is such a message, or there was one since the page was loaded. */
export async function expectToast(page: Page, text: string | RegExp, options?: { timeout: number }): Promise<void> {
  const wanted = typeof text === 'string' ? new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)) : text;
  await expect(page.locator('html')).toHaveAttribute('data-toasts', wanted, options);
}
