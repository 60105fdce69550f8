import { readFileSync } from 'node:fs';
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

test('the server has every metric that alarms and dashboard name', async ({ request }) => {
  const metrics = await (await request.get('/metrics')).text();
  const files = ['prometheus/hunter.rules.yml', 'grafana/hunter-dashboard.json'];
  const texts = files.map((file) => readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8'));
  const named = new Set(texts.join().match(/\b(?:hunter|nodejs|process)_[a-z0-9_]+/g));
  expect(
    [...named].filter((name) => !new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm').test(metrics)),
  ).toEqual([]);
});
