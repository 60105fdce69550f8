import type { Page } from '@playwright/test';

/** Lets one call answer as the test wants; all others reach the server. */
export async function answer(
  page: Page,
  path: string,
  reply: { status?: number; body?: unknown } | 'none',
): Promise<void> {
  await page.route(`**${path}*`, (route) => {
    if (reply === 'none') return route.abort();
    const body = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? '');
    return route.fulfill({ status: reply.status ?? 200, contentType: 'application/json', body });
  });
}
