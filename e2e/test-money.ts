// Accounts with SOL, and what they do through the API where a test is about something else.
import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { anAccount } from './test-account.ts';
import type { TestAccount } from './test-account.ts';

export type MarketToken = { tokenContractAddress: string; tokenSymbol: string };

/** Calls as a user. Each money call is its own attempt. */
export async function callAs<Data>(
  request: APIRequestContext,
  account: TestAccount,
  method: 'GET' | 'POST',
  path: string,
  data: Record<string, unknown> = {},
): Promise<Data> {
  const headers = { token: account.token, 'idempotency-key': randomUUID() };
  const answer =
    method === 'GET'
      ? await request.get(path, { headers, params: data as Record<string, string> })
      : await request.post(path, { headers, data });
  const envelope = (await answer.json()) as { code: number; msg: string; data: Data };
  if (envelope.code !== 200) throw new Error(`${path}: ${envelope.code} ${envelope.msg}`);
  return envelope.data;
}

export async function waitForFunds(request: APIRequestContext, account: TestAccount): Promise<void> {
  await expect
    .poll(
      async () => {
        const wallet = await callAs<{ walletInfo: { available: string } }>(
          request,
          account,
          'GET',
          '/api/user/myWallet',
        );
        return Number(wallet.walletInfo.available);
      },
      { timeout: 45_000 },
    )
    .toBeGreaterThan(9);
}

/** A new account whose first deposit has arrived. */
export async function aFundedAccount(request: APIRequestContext): Promise<TestAccount> {
  const account = await anAccount(request);
  await waitForFunds(request, account);
  return account;
}

/** Tokens that are safe to copy, the deepest first. A product that was just started has to look at them first. */
export async function tradableTokens(request: APIRequestContext, count: number): Promise<MarketToken[]> {
  let tokens: MarketToken[] = [];
  await expect
    .poll(async () => (tokens = await safeTokens(request)).length, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(count);
  return tokens.slice(0, count);
}

type HotToken = MarketToken & { risk: string; liquidity: string };

/** Any token of the market, safe or not. */
export async function anyToken(request: APIRequestContext): Promise<MarketToken> {
  let token: MarketToken | undefined;
  await expect.poll(async () => ([token] = await marketTokens(request)).length, { timeout: 60_000 }).toBeGreaterThan(0);
  return token!;
}

async function marketTokens(request: APIRequestContext): Promise<HotToken[]> {
  const answer = await request.get('/api/token/getTokenHotList', { params: { period: '24h', sortBy: 'volume' } });
  const { data } = (await answer.json()) as { data: { lists: HotToken[] } };
  return data.lists;
}

async function safeTokens(request: APIRequestContext): Promise<MarketToken[]> {
  return (
    (await marketTokens(request))
      // Others may not be copied, or are not known well enough yet.
      .filter((token) => token.risk === 'ok')
      .toSorted((a, b) => Number(b.liquidity) - Number(a.liquidity))
  );
}

export function freshName(words: string): string {
  return `${words} ${randomUUID().slice(0, 6)}`;
}

/** A running strategy of half a coin and half SOL. */
export async function aStrategy(
  request: APIRequestContext,
  creator: TestAccount,
  overrides: Record<string, unknown> = {},
): Promise<{ slug: string; name: string; bookId: string; token: MarketToken }> {
  const [token] = (await tradableTokens(request, 1)) as [MarketToken];
  const name = freshName('Quiet rotation');
  const { slug, bookId } = await callAs<{ slug: string; bookId: string }>(
    request,
    creator,
    'POST',
    '/api/strategy/create_strategy',
    {
      name,
      description: 'Buys what is quiet.',
      capital: '2',
      coins: [{ tokenContractAddress: token.tokenContractAddress, weight: '50' }],
      autoClear: true,
      ...overrides,
    },
  );
  await expect
    .poll(
      async () => {
        const detail = await callAs<{ status: string }>(request, creator, 'GET', '/api/strategy/getStrategyDetail', {
          slug,
        });
        return detail.status;
      },
      { timeout: 45_000 },
    )
    .toBe('running');
  return { slug, name, bookId, token };
}

/** A running strategy of somebody else. Those of the simulated traders are published in the first minutes of a new product. */
export async function aPublishedStrategy(
  request: APIRequestContext,
  reader: TestAccount,
): Promise<{ slug: string; name: string }> {
  type Card = { slug: string; name: string; status: string };
  let found: Card | undefined;
  await expect
    .poll(
      async () => {
        const square = await callAs<{ lists: Card[] }>(request, reader, 'GET', '/api/strategy/getStrategyList');
        found = square.lists.find(({ status }) => status === 'running');
        return found !== undefined;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  if (!found) throw new Error('nobody has published a strategy');
  return found;
}
