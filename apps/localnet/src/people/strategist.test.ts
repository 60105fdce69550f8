import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseDecimal } from '@hunter/domain/numbers/decimal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Person } from './person.ts';
import { Strategist } from './strategist.ts';
import { STRATEGY_PLANS } from './strategy-plans.ts';

type Holding = { tokenContractAddress: string; amount: string | null; profitPercent: string };

const COINS = Array.from({ length: 12 }, (_, index) => ({
  tokenContractAddress: `coin-${index}`,
  change1h: String(index),
  liquidity: index === 0 ? '10' : '50000',
  risk: index === 1 ? 'danger' : 'ok',
}));

let server: Server;
let web: string;
let detail: {
  bookId: string | null;
  freeSol: string;
  positions: Holding[];
  status?: string;
  tier?: string;
};
let orders: Record<string, unknown>[];
let created: { capital: string; coins: { tokenContractAddress: string; weight: string }[] }[];

beforeEach(async () => {
  detail = { bookId: 'book', freeSol: '5', positions: [] };
  orders = [];
  created = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      let data: unknown = {};
      if (path.startsWith('/api/token/getTokenHotList')) data = { lists: COINS };
      if (path.startsWith('/api/strategy/getStrategyDetail')) data = detail;
      if (path === '/api/token/tokenTransfer') orders.push(JSON.parse(body) as Record<string, unknown>);
      if (path === '/api/strategy/create_strategy') {
        created.push(JSON.parse(body) as (typeof created)[number]);
        data = { slug: 'a-slug' };
      }
      response.end(JSON.stringify({ code: 200, msg: 'OK', data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  web = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const strategist = (style: (typeof STRATEGY_PLANS)[number]['style']) =>
  new Strategist(
    new Person({ web, email: 'creator-1@simulated.invalid', password: 'secret' }),
    STRATEGY_PLANS.find((plan) => plan.style === style)!,
  );

describe('a strategist', () => {
  it('publishes with coins that are liquid and not dangerous, weighted to what the plan invests', async () => {
    expect(await strategist('dips').publish()).toBe('a-slug');
    const { coins } = created[0]!;
    expect(coins).toHaveLength(3);
    expect(coins.map((coin) => coin.tokenContractAddress)).not.toContain('coin-0');
    expect(coins.map((coin) => coin.tokenContractAddress)).not.toContain('coin-1');
    const weights = coins.reduce((sum, { weight }) => sum + Number(weight), 0);
    expect(Math.abs(weights - 60)).toBeLessThan(0.3);
  });

  it('spends a part of the free SOL and keeps enough for fees', async () => {
    await strategist('dips').trade('a-slug');
    expect(orders).toHaveLength(1);
    expect(orders[0]).toMatchObject({ side: 'buy', bookId: 'book', slippageBps: 500 });
    const lamports = parseDecimal(String(orders[0]!['amount']), 9);
    expect(lamports).toBeGreaterThanOrEqual((4_990_000_000n * 79n) / 1000n);
    expect(lamports).toBeLessThanOrEqual((4_990_000_000n * 200n) / 1000n);
  });

  it('buys nothing with too little SOL', async () => {
    detail.freeSol = '0.05';
    await strategist('dips').trade('a-slug');
    expect(orders).toEqual([]);
  });

  it('sells a part in units that the token has, or all of it exactly', async () => {
    detail.positions = [{ tokenContractAddress: 'coin-5', amount: '3.000001', profitPercent: '12' }];
    const creator = strategist('dips');
    for (let count = 0; count < 20; count += 1) await creator.trade('a-slug');
    expect(orders.every(({ side, tokenContractAddress }) => side === 'sell' && tokenContractAddress === 'coin-5')).toBe(
      true,
    );
    expect(new Set(orders.map(({ amount }) => amount))).toEqual(new Set(['3.000001', '1.5']));
  });

  it('leaves alone what it cannot measure and what is not its own', async () => {
    detail.positions = [{ tokenContractAddress: 'coin-5', amount: null, profitPercent: '-50' }];
    detail.freeSol = '0';
    await strategist('cuts-late').trade('a-slug');
    detail = { bookId: null, freeSol: '5', positions: [] };
    await strategist('dips').trade('a-slug');
    expect(orders).toEqual([]);
  });

  it('changes as many coins as it is told, and one where the strategy is ranked', async () => {
    const positions = ['coin-5', 'coin-6', 'coin-7'].map((tokenContractAddress) => ({
      tokenContractAddress,
      amount: '1.5',
      profitPercent: '0',
    }));
    detail = { bookId: 'book', freeSol: '5', positions, status: 'running', tier: 'new' };
    expect(await strategist('dips').rotate('a-slug', 3)).toBe(true);
    const sides = () => orders.map(({ side }) => side);
    // The last coin stays.
    expect(sides()).toEqual(['sell', 'sell']);
    orders.length = 0;
    detail.tier = 'ranked';
    expect(await strategist('dips').rotate('a-slug', 3)).toBe(true);
    expect(sides()).toEqual(['sell']);
  });
});
