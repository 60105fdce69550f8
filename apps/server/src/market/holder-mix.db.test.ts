import { bundledOf, freshSinceMs, isLaunchSlotBuy, isSniperBuy } from '@hunter/domain/market/holder-kind';
import { isProvenWallet, REAL_BUY_LAMPORTS_MIN } from '@hunter/domain/market/notice';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { beforeAll, expect, it } from 'vitest';
import type { Address } from '@hunter/solana/address';
import { mintNamed } from '@hunter/domain/address-for-test';
import type { Database } from '../platform/postgres.ts';
import { rollHolders } from './holder-mix.ts';
import { aMarketDatabase, aToken, aTrade } from './market-for-test.ts';
import type { MarketTrade } from './market-source.ts';
import type { MarketStore } from './market-store.ts';

const NOW_MS = Date.parse('2026-11-01T12:00:00Z');
const HOUR = 3_600_000;
const SLOT = 65_536n;
const MINTS = ['MintA', 'MintB', 'MintC'].map(mintNamed);
const market = aMarketDatabase();
let database: Database;
let store: MarketStore;

/** Three launches of one creator, a few minutes apart, and two days of trades by forty wallets before and after. */
function someTrades(): MarketTrade[] {
  const random = new SeededRandom('who holds');
  const held = new Map<string, bigint>();
  const trades: MarketTrade[] = [];
  const add = (mint: Address, wallet: string, atMs: number, slot: bigint, place: number, { gift = 0n } = {}) => {
    const key = `${mint} ${wallet}`;
    const holds = (held.get(key) ?? 0n) + gift;
    const isBuy = (gift === 0n && holds === 0n) || (gift === 0n && random.chance(0.55));
    const baseUnits = isBuy ? BigInt(1 + random.whole(5_000_000)) : random.chance(0.7) ? holds : holds / 2n + 1n;
    const after = isBuy ? holds + baseUnits : gift > 0n ? 0n : holds - baseUnits;
    held.set(key, after);
    const lamports = BigInt(1 + random.whole(2_000_000_000));
    const seq = slot * SLOT + BigInt(place);
    trades.push(
      aTrade({ mint, wallet, atMs, seq, isBuy, baseUnits, lamports, walletUnitsAfter: after, signature: `${seq}` }),
    );
  };
  let slot = 1_000n;
  for (const [index, mint] of MINTS.entries()) {
    const launchMs = launchOf(mint);
    // Six wallets in the launch slot of the first, three in that of the second, none of the third in its first seconds.
    const early = [6, 3, 0][index]!;
    for (let place = 0; place < early; place += 1) add(mint, `E${place}`, launchMs + 1_000, slot, place);
    // Who only sells then, tokens of a gift, is no sniper.
    if (early > 0) add(mint, 'Gifted', launchMs + 2_000, slot, early, { gift: 9_000_000n });
    if (early > 0) add(mint, 'Late sniper', launchMs + 5_000, (slot += 1n), 0);
    slot += 10n;
    for (let step = 0; step < 400; step += 1) {
      slot += 1n;
      const wallet = step > 300 && random.chance(0.2) ? `F${random.whole(20)}` : `W${random.whole(40)}`;
      add(mint, wallet, launchMs + 6_000 + step * 6 * 60_000, slot, 0);
    }
    slot += 1_000n;
  }
  return trades;
}

const launchOf = (mint: Address) => NOW_MS - 50 * HOUR + MINTS.indexOf(mint) * 4 * HOUR;

beforeAll(async () => {
  database = market.database;
  store = await market.emptyStore();
  await store.storeTokens(
    MINTS.map((mint) => aToken({ mint, pool: `Pool of ${mint}`, creator: 'W3', createdAtMs: launchOf(mint) })),
  );
  // As a source delivers them: in batches, some of which come twice.
  const trades = someTrades();
  for (let from = 0; from < trades.length; from += 170)
    await store.storeTrades(trades.slice(from, from + 200), 'test', { from });
  await database.write(`insert into insider (token_id, trader_id)
    select t.id, r.id from token t, trader r where t.mint = 'MintA' and r.address in ('W5', 'W6')`);
  await database.write(
    `update token set holders_read_at = now(), transfers_read_at = case when mint = 'MintA' then now() end`,
  );
  await rollHolders(database, [1, 2, 3], NOW_MS);
});

type Stored = { wallet: string; atMs: number; seq: bigint; isBuy: boolean; lamports: bigint; units: bigint };

/** Everything again from the stored trades alone, by the published definitions. */
async function recomputed(mint: Address) {
  const all = await database.query<Stored & { mint: Address }>(
    `select t.mint, r.address as wallet, (extract(epoch from x.at) * 1000)::float8 as "atMs", x.seq, x.is_buy as "isBuy", x.lamports,
            x.base_units as units
     from trade x join trader r on r.id = x.trader_id join token t on t.id = x.token_id order by x.seq`,
  );
  const own = all.filter((trade) => trade.mint === mint);
  const launchedAtMs = launchOf(mint);
  const first = own[0]!;
  const held = new Map<string, bigint>();
  for (const { wallet, isBuy, units } of own) held.set(wallet, (held.get(wallet) ?? 0n) + (isBuy ? units : -units));
  const holders = [...held].filter(([, amount]) => amount > 0n);
  const buys = own.filter(({ isBuy }) => isBuy);
  const walletsWhere = (test: (buy: Stored) => boolean) => new Set(buys.filter(test).map(({ wallet }) => wallet));
  const heldBy = (wallets: ReadonlySet<string>) => ({
    wallets: wallets.size,
    units: holders.filter(([wallet]) => wallets.has(wallet)).reduce((sum, [, amount]) => sum + amount, 0n),
  });
  const firstTradeMs = new Map<string, number>();
  for (const { wallet, atMs } of all) firstTradeMs.set(wallet, Math.min(atMs, firstTradeMs.get(wallet) ?? atMs));
  const fresh = holders.filter(([wallet]) => firstTradeMs.get(wallet)! > freshSinceMs(NOW_MS));
  return {
    topTen: holders
      .map(([, amount]) => amount)
      .toSorted((a, b) => (a < b ? 1 : -1))
      .slice(0, 10)
      .reduce((sum, amount) => sum + amount, 0n),
    creator: held.get('W3') ?? 0n,
    snipers: heldBy(walletsWhere(({ atMs }) => isSniperBuy({ atMs, launchedAtMs }))),
    bundlers: bundledOf(
      heldBy(
        walletsWhere(({ seq }) =>
          isLaunchSlotBuy({ slot: seq / SLOT, firstSlot: first.seq / SLOT, firstAtMs: first.atMs, launchedAtMs }),
        ),
      ),
    ),
    fresh: heldBy(new Set(fresh.map(([wallet]) => wallet))),
    proven: holders.filter(([wallet]) => {
      const isPaid = recordOf(own.filter((trade) => trade.wallet === wallet)).costLamports >= REAL_BUY_LAMPORTS_MIN;
      return isPaid && isProvenWallet(recordOf(all.filter((trade) => trade.wallet === wallet)));
    }).length,
  };
}

/** Profit at average cost over the tokens of a wallet, and the cost of what it holds. */
function recordOf(trades: readonly (Stored & { mint: Address })[]) {
  const record = { closedTrips: 0, wonTrips: 0, realizedLamports: 0n, costLamports: 0n };
  for (const [, own] of Map.groupBy(trades, ({ mint }) => mint)) {
    let [units, cost, trip] = [0n, 0n, 0n];
    for (const trade of own) {
      if (trade.isBuy) {
        units += trade.units;
        cost += trade.lamports;
        continue;
      }
      const spent = trade.units === units ? cost : (cost * trade.units) / units;
      units -= trade.units;
      cost -= spent;
      trip += trade.lamports - spent;
      record.realizedLamports += trade.lamports - spent;
      if (units > 0n) continue;
      record.closedTrips += 1;
      if (trip > 0n) record.wonTrips += 1;
      trip = 0n;
    }
    record.costLamports += cost;
  }
  return record;
}

it.each(MINTS)('rolls up who holds %s as a recomputation from the stored trades finds it', async (mint) => {
  const rows = await database.query<Record<string, bigint & number>>(
    `select top_ten_units, creator_units, sniper_wallets, sniper_units, launch_slot_wallets, launch_slot_units, fresh_wallets,
            fresh_units, proven_traders
     from token_stats s join token t on t.id = s.token_id where t.mint = $1`,
    [mint],
  );
  const row = rows[0]!;
  const expected = await recomputed(mint);
  expect({
    topTen: row['top_ten_units'],
    creator: row['creator_units'],
    snipers: { wallets: row['sniper_wallets'], units: row['sniper_units'] },
    bundlers: bundledOf({ wallets: row['launch_slot_wallets']!, units: row['launch_slot_units']! }),
    fresh: { wallets: row['fresh_wallets'], units: row['fresh_units'] },
    proven: row['proven_traders'],
  }).toEqual(expected);
  // A market in which these are zero would prove nothing.
  expect(Math.min(expected.proven, expected.fresh.wallets)).toBeGreaterThan(0);
});

it('counts six bundlers in one launch slot, and none where only three bought or nobody was quick', async () => {
  const found = await Promise.all(MINTS.map(recomputed));
  expect(found.map(({ bundlers, snipers }) => [bundlers.wallets, snipers.wallets])).toEqual([
    [6, 7],
    [0, 4],
    [0, 0],
  ]);
});

it('knows insiders only where the creator’s transfers were read', async () => {
  const rows = await database.query<{ wallets: number | null; units: bigint | null }>(
    `select insider_wallets as wallets, insider_units as units from token_stats order by token_id`,
  );
  const held = await database.query<{ units: bigint }>(
    `select sum(h.amount) as units from holder h join trader r on r.id = h.trader_id where h.token_id = 1 and r.address in ('W5', 'W6')`,
  );
  expect(rows).toEqual([
    { wallets: 2, units: held[0]!.units },
    { wallets: null, units: null },
    { wallets: null, units: null },
  ]);
});

it('adds up what traders paid to the network, and keeps the first price', async () => {
  const rows = await database.query<{ fees: bigint; paid: bigint; first: bigint; stored: bigint }>(
    `select s.fees_lamports as fees, (select sum(fee_lamports) from trade x where x.token_id = s.token_id) as paid,
            s.first_price_usd as first, (select price_usd from trade x where x.token_id = s.token_id order by seq limit 1) as stored
     from token_stats s`,
  );
  expect(rows).toHaveLength(3);
  for (const { fees, paid, first, stored } of rows) expect([fees, first]).toEqual([paid, stored]);
});

it('counts no proven wallet that was only sent the token', async () => {
  await store.storeTokens([aToken({ mint: 'Sent', pool: 'Pool of Sent', createdAtMs: NOW_MS })]);
  await database.write(`insert into holder (token_id, trader_id, amount, seq)
    select t.id, r.id, 1000000, 1 from token t, trader r where t.mint = 'Sent'`);
  await rollHolders(database, [4], NOW_MS);
  const rows = await database.query(
    `select top_ten_units is not null or fresh_wallets > 0 as held, proven_traders as proven from token_stats where token_id = 4`,
  );
  expect(rows).toEqual([{ held: true, proven: 0 }]);
});
