// Accounts with SOL, and what they do through the API where a test is about something else.
import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import { anAccount } from './test-account.ts';
import type { TestAccount } from './test-account.ts';

/** Whatever waits for the chain or for a market that has just begun: on a busy machine that may take more than a minute. */
export const CHAIN = { timeout: 120_000 };

export type MarketToken = { tokenContractAddress: string; tokenSymbol: string; tokenName: string };

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
    .poll(async () => {
      const wallet = await callAs<{ walletInfo: { available: string } }>(request, account, 'GET', '/api/user/myWallet');
      return Number(wallet.walletInfo.available);
    }, CHAIN)
    .toBeGreaterThan(9);
}

/** A new account whose first deposit has arrived. */
export async function aFundedAccount(request: APIRequestContext): Promise<TestAccount> {
  const account = await anAccount(request);
  await waitForFunds(request, account);
  return account;
}

/** Tokens that followers may buy, the safest and then the deepest first. A product that was just started has to look at them first. */
export async function tradableTokens(request: APIRequestContext, count: number): Promise<MarketToken[]> {
  let tokens: MarketToken[] = [];
  // Nothing is copied while the market is behind.
  await expect.poll(async () => (await request.get('/api/ready')).status(), CHAIN).toBe(200);
  await expect
    .poll(async () => (tokens = await copyableTokens(request, count)).length, CHAIN)
    .toBeGreaterThanOrEqual(count);
  return tokens;
}

type HotToken = MarketToken & { risk: string; liquidity: string; createdAt: number };

/** Any token of the market, safe or not. */
export async function anyToken(request: APIRequestContext): Promise<MarketToken> {
  let token: MarketToken | undefined;
  await expect.poll(async () => ([token] = await marketTokens(request)).length, CHAIN).toBeGreaterThan(0);
  return token!;
}

async function marketTokens(request: APIRequestContext): Promise<HotToken[]> {
  const answer = await request.get('/api/token/getTokenHotList', { params: { period: '24h', sortBy: 'volume' } });
  const { data } = (await answer.json()) as { data: { lists: HotToken[] } };
  return data.lists;
}

async function copyableTokens(request: APIRequestContext, count: number): Promise<MarketToken[]> {
  const old = (await marketTokens(request)).filter(({ createdAt }) => Date.now() - createdAt > AGE_MIN_MS);
  const all = old.toSorted((a, b) => Number(b.liquidity) - Number(a.liquidity));
  const found: MarketToken[] = [];
  for (const token of ['ok', 'warn'].flatMap((risk) => all.filter((each) => each.risk === risk))) {
    if (found.length === count) break;
    if (await isCopyable(request, token)) found.push(token);
  }
  return found;
}

/** A younger one has no reference price. */
const AGE_MIN_MS = 2 * 3_600_000;
/** Percent. From 50 on nobody copies a token; one that is near may get there while a test runs. */
const TOP_TEN_MAX = 45;

async function isCopyable(request: APIRequestContext, { tokenContractAddress }: MarketToken): Promise<boolean> {
  const answer = await request.get('/api/token/getTokenBaseInfo', { params: { tokenContractAddress } });
  type Badge = { key: string; level: 'ok' | 'warn' | 'danger' | 'unknown'; value: string | null };
  const { data } = (await answer.json()) as { data: { safety: { badges: Badge[] } } };
  return data.safety.badges.every(({ key, level, value }) => {
    if (key === 'mint-authority') return level === 'ok';
    if (key === 'top-10-share') return value !== null && Number(value) < TOP_TEN_MAX;
    return level === 'ok' || level === 'warn';
  });
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
    .poll(async () => {
      const detail = await callAs<{ status: string }>(request, creator, 'GET', '/api/strategy/getStrategyDetail', {
        slug,
      });
      return detail.status;
    }, CHAIN)
    .toBe('running');
  return { slug, name, bookId, token };
}

/** Follows a strategy until whatever its creator does from now on is copied. */
export async function follow(
  request: APIRequestContext,
  follower: TestAccount,
  { slug, ...wanted }: { slug: string; mode: 'sol' | 'position'; amount: string },
): Promise<void> {
  await callAs(request, follower, 'POST', '/api/strategy/follow_strategy', { slug, ...wanted });
  type Follows = { lists: { slug: string; status: string }[] };
  await expect
    .poll(async () => {
      const { lists } = await callAs<Follows>(request, follower, 'GET', '/api/strategy/getMyFollows');
      return lists.find((each) => each.slug === slug)?.status;
    }, CHAIN)
    .toBe('active');
}

/** A running strategy of somebody else. Those of the simulated traders are published in the first minutes of a new product. */
export async function aPublishedStrategy(
  request: APIRequestContext,
  reader: TestAccount,
): Promise<{ slug: string; name: string }> {
  type Card = { slug: string; name: string; status: string };
  let found: Card | undefined;
  await expect
    .poll(async () => {
      const square = await callAs<{ lists: Card[] }>(request, reader, 'GET', '/api/strategy/getStrategyList');
      found = square.lists.find(({ status }) => status === 'running');
      return found !== undefined;
    }, CHAIN)
    .toBe(true);
  if (!found) throw new Error('nobody has published a strategy');
  return found;
}
