import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { Address } from '@hunter/solana/address';
import { mintNamed } from '@hunter/domain/address-for-test';
import { loadAlerts } from '../alerts/alert-store.ts';
import type { TokenFacts } from '../market/token-facts.ts';
import { enqueue } from '../platform/outbox.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { FOLLOWS_JOINED_TOPIC } from '../strategies/copying/join-follows.ts';
import { enqueueRounds } from '../trading/order-events.ts';
import { alertTopics } from './alert-topics.ts';
import { tellRecentTrackedTrades, tellTrackedTrades } from './tracked-wallet-alerts.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

const tokens = {
  load: async (mints: readonly Address[]) => new Map(mints.map((mint) => [mint, { symbol: 'CAT', decimals: 6 }])),
} as unknown as TokenFacts;

type User = { userId: string; bookId: string };
let creator: User;
let strategyId: string;

async function aUser(kind: 'strategy' | 'follow'): Promise<User> {
  const [userId, bookId] = [randomUUID(), randomUUID()];
  await database.write(
    `insert into users (id, email, email_key, password_hash, display_name) values ($1, $2, $2, '', $2)`,
    [userId, `${userId}@example.com`],
  );
  await database.write(
    `insert into wallet (id, user_id, kind, address, envelope) values ($1, $1, 'personal', $2, '')`,
    [userId, userId],
  );
  await database.write(`insert into book (id, user_id, wallet_id, kind, name) values ($1, $2, $2, $3, 'b')`, [
    bookId,
    userId,
    kind,
  ]);
  return { userId, bookId };
}

async function aFollower(status = 'active'): Promise<User & { followId: string }> {
  const user = await aUser('follow');
  const followId = randomUUID();
  await database.write(
    `insert into follow (id, user_id, strategy_id, book_id, mode, status, amount_lamports, opened_at)
     values ($1, $2, $3, $4, 'sol', $5, 50, now())`,
    [followId, user.userId, strategyId, user.bookId, status],
  );
  return { ...user, followId };
}

beforeEach(async () => {
  creator = await aUser('strategy');
  strategyId = randomUUID();
  await database.write(
    `insert into strategy (id, user_id, book_id, wallet_id, slug, name, status, auto_clear, capital_lamports, published_at)
     values ($1, $2, $3, $2, $4, 'Moon', 'running', true, 100, now())`,
    [strategyId, creator.userId, creator.bookId, strategyId],
  );
});

type Part = User & { followId: string | null; filled?: [bigint, bigint]; reason?: string };

async function aRound(
  kind: string,
  side: 'buy' | 'sell',
  parts: readonly Part[],
  mint = 'Mint',
  signature = `sig ${mint}`,
): Promise<string> {
  const orderId = randomUUID();
  await database.write(
    `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state, signature, is_round)
     values ($1, $2, $3, $2, $4, $5, $6, 10, 10, 100, 'confirmed', $7, true)`,
    [orderId, creator.userId, creator.bookId, kind, side, mint, signature],
  );
  for (const { userId, bookId, followId, filled, reason } of parts) {
    await database.write(
      `insert into allocation (order_id, book_id, user_id, follow_id, amount_in, filled_in, filled_out, reason, at)
       values ($1, $2, $3, $4, 0, $5, $6, $7, now())`,
      [orderId, bookId, userId, followId, filled?.[0] ?? null, filled?.[1] ?? null, reason ?? null],
    );
  }
  return orderId;
}

/** Carries out what is in the outbox, twice, as after a crash. */
async function runOutbox(): Promise<void> {
  const handlers = alertTopics({ database, tokens, alerts: { onRaised: async () => {} } });
  const rows = await database.write<{ topic: string; payload: never; id: bigint }>(
    `delete from outbox returning topic, payload, id`,
  );
  for (const { topic, payload, id } of rows) {
    await handlers[topic]?.(payload, id, 0);
    await handlers[topic]?.(payload, id, 0);
  }
}

const bodiesOf = async ({ userId }: User) => (await loadAlerts(database, userId, null)).lists.map(({ body }) => body);

it('tells each follower of a round once what he got or why he was left out, and the creator nothing', async () => {
  const [ann, bob] = [await aFollower(), await aFollower()];
  const orderId = await aRound('trade', 'buy', [
    { ...creator, followId: null, filled: [5n, 5n] },
    { ...ann, filled: [1_500_000_000n, 7n] },
    { ...bob, reason: 'coin-cap' },
  ]);
  await enqueueRounds(database, [orderId]);
  await runOutbox();
  const told = {
    slug: strategyId,
    strategyName: 'Moon',
    tokenContractAddress: 'Mint',
    tokenSymbol: 'CAT',
    side: 'buy',
  };
  expect(await bodiesOf(ann)).toEqual([{ kind: 'round-filled', ...told, solAmount: '1.5', txHash: 'sig Mint' }]);
  expect(await bodiesOf(bob)).toEqual([{ kind: 'round-skipped', ...told, reason: 'coin-cap' }]);
  expect(await bodiesOf(creator)).toEqual([]);
});

it('of a sale tells the SOL that came in, and nothing of tries to join that bought nothing or of the sale at the end', async () => {
  const ann = await aFollower();
  const rounds = [
    await aRound('trade', 'sell', [{ ...ann, filled: [7n, 2_000_000_000n] }]),
    await aRound('join', 'buy', [{ ...ann, reason: 'pool-too-young' }]),
    await aRound('exit', 'sell', [{ ...ann, filled: [7n, 1n] }]),
  ];
  await enqueueRounds(database, rounds);
  await runOutbox();
  expect(await bodiesOf(ann)).toMatchObject([{ kind: 'round-filled', side: 'sell', solAmount: '2' }]);
});

it('tells the first purchase of a coin when joining, and a later one only where it is a tenth of the follow', async () => {
  const ann = await aFollower();
  for (const lamports of [2n, 4n, 5n]) {
    await enqueueRounds(database, [
      await aRound('join', 'buy', [{ ...ann, filled: [lamports, 7n] }], 'Mint', `${lamports}`),
    ]);
    await runOutbox();
  }
  const told = (await bodiesOf(ann)).map((body) => body.kind === 'round-filled' && body.solAmount);
  expect(told).toEqual(['0.000000005', '0.000000002']);
});

it('tells what a follow bought while it opened with one alert, and what comes late by itself, in whatever order it hears', async () => {
  const [ann, bob] = [await aFollower('opening'), await aFollower('opening')];
  const joins = async (mint: Address, ...parts: Part[]) => aRound('join', 'buy', parts, mint);
  const [cat, dog] = [
    await joins(mintNamed('Cat'), { ...ann, filled: [30n, 7n] }, { ...bob, filled: [20n, 7n] }),
    await joins(mintNamed('Dog'), { ...ann, filled: [12n, 7n] }),
  ];
  await enqueueRounds(database, [cat]);
  await runOutbox();
  expect(await bodiesOf(ann)).toEqual([]);
  await database.write(`update follow set status = 'active' where strategy_id = $1`, [strategyId]);
  await enqueueRounds(database, [dog]);
  await enqueue(database, FOLLOWS_JOINED_TOPIC, { followIds: [ann.followId, bob.followId] });
  await runOutbox();
  await enqueueRounds(database, [await joins(mintNamed('Frog'), { ...ann, filled: [1n, 7n] }), cat, dog]);
  await runOutbox();

  const coin = (tokenContractAddress: string, solAmount: string) => ({
    tokenContractAddress,
    tokenSymbol: 'CAT',
    solAmount,
    txHash: `sig ${tokenContractAddress}`,
  });
  const told = { kind: 'round-filled', slug: strategyId, strategyName: 'Moon', side: 'buy' };
  const coins = [coin('Cat', '0.00000003'), coin('Dog', '0.000000012')];
  expect(await bodiesOf(ann)).toEqual([
    { ...told, ...coin('Frog', '0.000000001') },
    { ...told, ...coins[0], joined: { coins, solAmount: '0.000000042' } },
  ]);
  expect(await bodiesOf(bob)).toEqual([{ ...told, ...coin('Cat', '0.00000002') }]);
});

it('tells who tracks a wallet what it trades now, once in ten minutes for a token and side, and nobody else', async () => {
  const [ann, bob] = [await aFollower(), await aFollower()];
  await database.write(`insert into tracked_wallet (user_id, address, name) values ($1, 'Whale', 'my whale')`, [
    ann.userId,
  ]);
  const nowMs = 1_800_000_000_000;
  const trade = {
    wallet: 'Whale',
    mint: mintNamed('Mint'),
    isBuy: true,
    lamports: 2_500_000_000n,
    atMs: nowMs,
    signature: 'sig',
  };
  const parts = { database, symbols: async () => new Map([['Mint', 'CAT']]) };
  const trades = [
    trade,
    { ...trade, signature: 'again' },
    { ...trade, wallet: 'Somebody' },
    { ...trade, mint: mintNamed('Old'), atMs: nowMs - 3 * 60_000 },
  ];
  await tellTrackedTrades(parts, trades, nowMs);
  await tellTrackedTrades(parts, trades, nowMs);
  expect(await bodiesOf(ann)).toEqual([
    {
      kind: 'wallet',
      address: 'Whale',
      name: 'my whale',
      tokenContractAddress: 'Mint',
      tokenSymbol: 'CAT',
      side: 'buy',
      solAmount: '2.5',
      txHash: 'sig',
    },
  ]);
  expect(await bodiesOf(bob)).toEqual([]);
});

it('tells at a start what a tracked wallet traded right before it, once', async () => {
  const ann = await aFollower();
  await database.write(`insert into tracked_wallet (user_id, address, name) values ($1, 'Fish', 'my fish')`, [
    ann.userId,
  ]);
  await database.write(
    `with t as (
       insert into token (mint, name, symbol, decimals, token_program, supply, created_at)
       values ('FishMint', 'Fish', 'FISH', 6, 'Token', 1, now()) returning id
     ), r as (insert into trader (address) values ('Fish') returning id)
     insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
     select t.id, n, now() - make_interval(mins => 10 * (n - 1)), true, 1000000000, 5, 1, 1, 1, r.id, 'fish ' || n
     from t, r, generate_series(1, 2) n`,
  );
  const parts = { database, symbols: async () => new Map([['FishMint', 'FISH']]) };
  await tellRecentTrackedTrades(parts, Date.now());
  await tellRecentTrackedTrades(parts, Date.now());
  expect(await bodiesOf(ann)).toMatchObject([{ kind: 'wallet', tokenSymbol: 'FISH', txHash: 'fish 1' }]);
});
