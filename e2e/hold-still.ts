// The market held still for a page, so that what it shows can be compared with what the server said.
import type { CallName, CallReply } from '@hunter/contract/calls';
import { calls } from '@hunter/contract/calls';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

type Answers = <Name extends CallName>(name: Name, part?: string) => Promise<CallReply<Name>>;

/**
 * Each question is answered once by the server, and the same question again with the same answer; nothing is pushed. Returns what a
 * call was answered, of several with the same name the one whose address contains `part`.
 */
export async function holdStill(page: Page): Promise<Answers> {
  const answers = new Map<string, Promise<string>>();
  await page.routeWebSocket('**/api/stream', () => {});
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    url.searchParams.delete('t');
    const key = `${url.pathname}?${url.searchParams.toString()}`;
    if (request.method() !== 'GET') return route.fallback();
    const known = answers.get(key) ?? route.fetch().then((answer) => answer.text());
    answers.set(key, known);
    return route.fulfill({ contentType: 'application/json', body: await known });
  });
  return async (name, part = '') => {
    const find = () => [...answers.keys()].find((key) => key.startsWith(`${calls[name].path}?`) && key.includes(part));
    await expect.poll(find, { timeout: 45_000 }).toBeTruthy();
    const { data } = JSON.parse((await answers.get(find() as string)) as string) as { data: CallReply<typeof name> };
    return data;
  };
}
