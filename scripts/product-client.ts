import type { CallName } from '@hunter/contract/calls';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, type Answer, type Asking } from '../apps/localnet/src/people/ask.ts';

// What proofs and tests ask of a running product.

export { ask };
export type { Answer, Asking };
export type ProductUser = { email: string; password: string; token: string; address: string };

export const PROOF_PASSWORD = 'correct horse battery 7';
const REGISTER_MS_MAX = 120_000;

/** The data of a success; a refusal is thrown with its name. */
export async function insist(
  web: string,
  name: CallName,
  request: object = {},
  asking: Asking = {},
): Promise<Record<string, unknown>> {
  return dataOf(name, await ask(web, name, request, asking));
}

export function dataOf(name: CallName, { code, msg, data }: Answer): Record<string, unknown> {
  if (code !== 200) throw new Error(`${name}: ${code} ${msg} ${JSON.stringify(data)}`);
  return data;
}

export async function until<T>(
  probe: () => Promise<T | null | undefined | false>,
  what: string,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await delay(100);
  }
}

export async function mailedCode(web: string, email: string): Promise<string> {
  return until(async () => {
    const { lists } = (await insist(web, 'mailbox', { email })) as { lists: { code: string | null }[] };
    return lists[0]?.code;
  }, `a code for ${email}`);
}

/** Registers as a person would, code and invite included. */
export async function registerUser(web: string, email: string): Promise<ProductUser> {
  await insist(web, 'sendEmailCode', { email });
  const person = {
    email,
    password: PROOF_PASSWORD,
    confirmPassword: PROOF_PASSWORD,
    verificationCode: await mailedCode(web, email),
    inviteCode: 'HUNTER',
    agreement: true,
  };
  // Passwords are slow to hash on purpose, and a crowd of them waits for each other.
  const { token, wallet } = (await insist(web, 'register', person, { timeoutMs: REGISTER_MS_MAX })) as {
    token: string;
    wallet: { address: string };
  };
  return { email, password: PROOF_PASSWORD, token, address: wallet.address };
}

export async function untilFunded(web: string, user: ProductUser): Promise<void> {
  await until(async () => {
    const { walletInfo } = (await insist(web, 'myWallet', {}, { token: user.token })) as {
      walletInfo: { available: string };
    };
    return walletInfo.available !== '0';
  }, `the welcome money of ${user.email}`);
}

/** Many people whose welcome money has arrived. It comes while others still register, so many at a time. */
export async function registerFunded(web: string, count: number, atATime = 8): Promise<ProductUser[]> {
  const users: ProductUser[] = [];
  let asked = 0;
  const register = async (): Promise<void> => {
    while (asked < count) {
      asked += 1;
      users.push(await registerUser(web, `${randomBytes(6).toString('hex')}@example.com`));
    }
  };
  await Promise.all(Array.from({ length: atATime }, register));
  for (const user of users) await untilFunded(web, user);
  return users;
}

/** Tokens that can be traded, the liveliest first. */
export async function hotMints(web: string): Promise<string[]> {
  return until(
    async () => {
      const { lists } = (await insist(web, 'getTokenHotList', { limit: 20 })) as {
        lists: { tokenContractAddress: string }[];
      };
      return lists.length > 0 && lists.map((token) => token.tokenContractAddress);
    },
    'tokens on the market',
    180_000,
  );
}
