// The test function of all browser tests: a test also fails when one of its pages throws, leaves a rejection unhandled,
// breaks the content security policy or writes an error to the console. A test that provokes errors names them.
import { expect, test as base } from '@playwright/test';
import type { BrowserContext } from '@playwright/test';
import { rememberToasts } from './toasts.ts';

export { expect };

/** What the browser itself writes about an answer that is a refusal. */
export const refusedCall = (status: number): RegExp =>
  new RegExp(`^Failed to load resource: the server responded with a status of ${status} `);
/** What the browser itself writes about a call that got no answer. */
export const lostCall = /^Failed to load resource: net::ERR_FAILED/;

/** Adds to `problems` what goes wrong in the pages of a context. */
export function watchPages(context: BrowserContext, problems: string[]): void {
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('console', (message) => {
    const violation = /content security policy/i.test(message.text());
    if (violation || message.type() === 'error') problems.push(message.text());
  });
}

export const test = base.extend<{ expectErrors: (...errors: RegExp[]) => void }>({
  /** A call that is still being answered by a test's own route when the test ends is nobody's failure. */
  page: async ({ page }, use) => {
    await rememberToasts(page);
    await use(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  },
  /** Called by a test that provokes errors itself: `expectErrors(refusedCall(401))`. */
  expectErrors: [
    async ({ browser }, use) => {
      const problems: string[] = [];
      const expected: RegExp[] = [];
      const watch = (context: BrowserContext): void => watchPages(context, problems);
      browser.contexts().forEach(watch);
      browser.on('context', watch);
      await use((...errors) => expected.push(...errors));
      browser.off('context', watch);
      const unexpected = problems.filter((problem) => !expected.some((each) => each.test(problem)));
      expect(unexpected, 'errors in the console of the pages').toEqual([]);
    },
    { auto: true },
  ],
});
