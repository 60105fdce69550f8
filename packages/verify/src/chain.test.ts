import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Chain, type Fetch } from './chain.ts';
import { Published, PublishedError } from './published.ts';
import { aSharedWorld, verify } from './verify-strategy-for-test.ts';
import { aSwap, aWorld } from './world-for-test.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `name ${index}`);
const reply = (json: unknown) => ({ status: 200, headers: { get: () => null }, json: () => Promise.resolve(json) });

it('asks a node for no more accounts at once than nodes answer, and keeps their order', async () => {
  const asked: number[] = [];
  const fetch: Fetch = async (_url, init) => {
    const { params } = JSON.parse(init!.body) as { params: [string[]] };
    asked.push(params[0].length);
    return reply({
      result: { value: params[0].map((name) => ({ lamports: Number(name.slice(5)), data: ['', 'base64'] })) },
    });
  };
  const accounts = await new Chain('http://node', fetch).accounts(names(230));
  expect(asked).toEqual([100, 100, 30]);
  expect(accounts.map((account) => account?.lamports)).toEqual(names(230).map((_, index) => BigInt(index)));
});

it('asks the product for no more pools at once than it answers', async () => {
  const asked: string[] = [];
  const fetch: Fetch = async (url) => {
    const mints = new URL(url).searchParams.get('tokenContractAddress')!.split(',');
    asked.push(...mints);
    return reply({ code: mints.length > 50 ? 1001 : 200, msg: 'too many', data: { lists: [] } });
  };
  await new Published('http://product', fetch).pools(names(120));
  expect(asked).toEqual(names(120));
});

it('says of a product that answers no JSON, or no row of a record that goes on, that it is the product', async () => {
  const broken: Fetch = async () => ({
    ...reply(null),
    status: 502,
    json: () => Promise.reject(new SyntaxError('<html>')),
  });
  const answer = new Published('http://product', broken).detail('slug');
  await expect(answer).rejects.toBeInstanceOf(PublishedError);
  await expect(answer).rejects.toThrow('/api/strategy/getStrategyDetail answered with HTTP 502 and no JSON');
  let pages = 0;
  const endless: Fetch = async () => {
    if ((pages += 1) > 10) throw new Error('asked for ever');
    return reply({ code: 200, msg: 'ok', data: { lists: [], nextCursor: 'more' } });
  };
  const record = new Published('http://product', endless).record('slug');
  await expect(record).rejects.toThrow('the record goes on without a row');
});

describe('a node', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('that answers no batches is asked one by one', async () => {
    const world = aWorld();
    world.node.batches = false;
    expect((await verify(world)).different).toEqual([]);
    expect(world.requests.filter(({ method, batch }) => method === 'getTransaction' && batch === 0)).toHaveLength(3);
  });

  it('that is busy is asked again later, and not for ever', async () => {
    const world = aWorld();
    world.node.busyReplies = 3;
    expect((await verify(world)).different).toEqual([]);
    world.node.busyReplies = 1_000;
    await expect(verify(world)).rejects.toThrow('refuses more requests');
  });

  it('that gives the same page of signatures for ever is refused', async () => {
    const world = aSharedWorld();
    const swap = world.transactions['buy']!;
    for (let index = 0; index < 1_000; index += 1) world.transactions[`other-${index}`] = swap;
    for (const signature of ['buy', 'sell', 'buy-again']) delete world.transactions[signature];
    await expect(verify(world)).rejects.toThrow('begins again');
  });

  it('that does not give what it lists is asked again, and refused in the end', async () => {
    const world = aSharedWorld();
    world.transactions['secret'] = null as never;
    await expect(verify(world)).rejects.toThrow('the node lists secret and does not have it');
    world.transactions['secret'] = aSwap({ lamports: -7, before: 600_000_000n, after: 200_000_000n });
    let asked = 0;
    const { transactions, fetch } = world;
    world.fetch = (url, init) => {
      if (init?.body.includes('"secret"') && (asked += 1) === 1)
        world.transactions = { ...transactions, secret: null as never };
      else world.transactions = transactions;
      return fetch(url, init);
    };
    expect((await verify(world)).different).toEqual([]);
    expect(asked).toBe(2);
  });

  it('that answers with an error says which question failed', async () => {
    const world = aWorld();
    world.node.error = 'Transaction history is not available';
    await expect(verify(world)).rejects.toThrow('getSignaturesForAddress: Transaction history is not available');
  });
});
