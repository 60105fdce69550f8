// The test function of all browser tests: a test also fails when a page breaks the content security policy or throws.
import { expect, test as base } from '@playwright/test';

export { expect };

export const test = base.extend<{ cleanPages: void }>({
  cleanPages: [
    async ({ context }, use) => {
      const problems: string[] = [];
      context.on('weberror', (error) => problems.push(String(error.error())));
      context.on('console', (message) => {
        if (/content security policy/i.test(message.text())) problems.push(message.text());
      });
      await use();
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});
