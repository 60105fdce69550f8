import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';

export type TestAccount = { email: string; password: string; token: string; walletAddress: string };

export const TEST_PASSWORD = 'six quiet frogs 42';

/** An address that no other test uses. */
export function freshEmail(): string {
  return `e2e-${randomUUID().slice(0, 13)}@example.com`;
}

async function post(
  request: APIRequestContext,
  path: string,
  data: object,
  token?: string,
): Promise<Record<string, unknown>> {
  const sent = await request.post(path, { data, ...(token === undefined ? {} : { headers: { token } }) });
  const answer = (await sent.json()) as {
    code: number;
    msg: string;
    data: unknown;
  };
  if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
  return answer.data as Record<string, unknown>;
}

/** When the newest code that a test has been given was sent, for each address. */
const givenUntil = new Map<string, number>();

/**
 * The code of the newest mail that carries one and was not given before: mails leave after the answer, so what lies in the
 * mailbox at first may be an older code, and other mails may come after it.
 */
export async function mailedCode(request: APIRequestContext, email: string): Promise<string> {
  let mail: { code: string | null; sentAt: number } | undefined;
  await expect
    .poll(
      async () => {
        const answer = await request.get('/api/dev/mailbox', { params: { email } });
        const { data } = (await answer.json()) as { data: { lists: { code: string | null; sentAt: number }[] } };
        mail = data.lists.find(({ code, sentAt }) => code !== null && sentAt > (givenUntil.get(email) ?? 0));
        return mail !== undefined;
      },
      { timeout: 45_000 },
    )
    .toBe(true);
  givenUntil.set(email, mail!.sentAt);
  return mail!.code!;
}

/**
 * The market does what it wants: its alerts come among the messages that a test waits for or before the button it presses,
 * and on a busy machine it outruns an order.
 */
const CALM = { quietNotices: true, slippageBps: 2_000 };

export async function saveSettings(
  request: APIRequestContext,
  token: string,
  settings: Partial<typeof CALM> = CALM,
): Promise<void> {
  await post(request, '/api/user/saveMySettings', settings, token);
}

/** Registers through the API, for tests that are about something else. */
export async function anAccount(request: APIRequestContext, settings?: Partial<typeof CALM>): Promise<TestAccount> {
  const email = freshEmail();
  await post(request, '/api/login/sendEmailCode', { email });
  const account = await post(request, '/api/login/register', {
    email,
    password: TEST_PASSWORD,
    confirmPassword: TEST_PASSWORD,
    verificationCode: await mailedCode(request, email),
    inviteCode: 'HUNTER',
    agreement: true,
  });
  const token = account['token'] as string;
  await saveSettings(request, token, settings);
  const { address } = account['wallet'] as { address: string };
  return { email, password: TEST_PASSWORD, token, walletAddress: address };
}

/** Gives the page the stored session of an account, as a visitor who comes back has it. */
export async function logInAs(page: Page, account: TestAccount): Promise<void> {
  await page.addInitScript(
    ([token, email]) => {
      // Only once per tab, so that a logout in the test lasts across navigations.
      if (sessionStorage.getItem('e2e-session') !== null) return;
      sessionStorage.setItem('e2e-session', 'given');
      localStorage.setItem('token', token);
      localStorage.setItem('rememberedEmail', email);
    },
    [account.token, account.email] as const,
  );
}
