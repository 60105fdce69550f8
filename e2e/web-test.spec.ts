import { expect, test, watchPages } from './web-test.ts';

test('a page that complains, throws, drops a rejection or breaks the security policy is noticed', async ({
  page,
  expectErrors,
}) => {
  expectErrors(/^(Error: )?(complained|thrown|rejected)$/, /Content Security Policy/);
  const problems: string[] = [];
  watchPages(page.context(), problems);
  await page.goto('/login');
  await page.evaluate(() => {
    console.error('complained');
    setTimeout(() => {
      throw new Error('thrown');
    });
    void Promise.reject(new Error('rejected'));
    const script = document.createElement('script');
    script.textContent = 'window.broken = true';
    document.head.append(script);
  });
  for (const problem of [/^complained$/, /thrown/, /rejected/, /Content Security Policy/]) {
    await expect.poll(() => problems.some((each) => problem.test(each))).toBe(true);
  }
  expect(await page.evaluate('window.broken')).toBeUndefined();
});
