import { expect, test } from './web-test.ts';

test('the page that the ready line names shows the product', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle(/hunter/i);
  await expect(page.locator('body')).toContainText(/hunter/i);
});

test('the server says that every part is ready', async ({ request }) => {
  const answer = await request.get('/api/ready');
  expect(answer.status()).toBe(200);
});
