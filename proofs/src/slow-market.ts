import type { Database } from '../../apps/server/src/platform/postgres.ts';

type Raw = {
  tokenId: number;
  traderId: number;
  seq: bigint;
  at: Date;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  priceSol: bigint;
  priceUsd: bigint;
  valueUsd: bigint;
};

export const keyOf = ({ tokenId, traderId, seq }: Pick<Raw, 'tokenId' | 'traderId' | 'seq'>): string =>
  `${tokenId}:${traderId}:${seq}`;
const newestLast = (a: Raw, b: Raw): number => (a.seq < b.seq ? -1 : 1);

/** What the chain said of a trade's wallet: what of a purchase arrived, and what it held afterwards. */
export type OnWallet = { arrived: bigint; heldAfter: bigint };

/**
 * Works candles, stats and holders out again from the raw trades, without any of the code that stored them, and answers
 * what differs. `wallets` are by the key of `keyOf`.
 */
export async function differencesFromRawTrades(
  database: Database,
  wallets: ReadonlyMap<string, OnWallet>,
): Promise<string[]> {
  const trades = await database.query<Raw>(
    `select token_id as "tokenId", trader_id as "traderId", seq, at, is_buy as "isBuy", lamports, base_units as "baseUnits",
            price_sol as "priceSol", price_usd as "priceUsd", value_usd as "valueUsd" from trade`,
  );
  const byToken = Map.groupBy(trades, (trade) => trade.tokenId);
  const expected: Record<string, unknown[]> = { minutes: [], hours: [], stats: [], holders: [], traders: [] };
  const madeBy = new Map<number, { realized: bigint; trips: number; wins: number }>();
  for (const [tokenId, list] of [...byToken].toSorted(([a], [b]) => a - b)) {
    const ordered = list.toSorted(newestLast);
    expected['minutes']!.push(...candles(tokenId, ordered, 60_000));
    expected['hours']!.push(...candles(tokenId, ordered, 3_600_000));
    let holders = 0;
    const byTrader = Map.groupBy(ordered, (trade) => trade.traderId);
    for (const [traderId, own] of [...byTrader].toSorted(([a], [b]) => a - b)) {
      const onWallet = own.map((trade) => wallets.get(keyOf(trade)) ?? { arrived: -1n, heldAfter: -1n });
      const made = profit(own, onWallet);
      const amount = onWallet.at(-1)!.heldAfter;
      if (amount > 0n) holders += 1;
      expected['holders']!.push([tokenId, traderId, amount, made.cost, made.realized, made.trips, made.wins]);
      const sums = madeBy.get(traderId) ?? { realized: 0n, trips: 0, wins: 0 };
      sums.realized += made.realized;
      // What is left unsold does not hide that the sales of a trade have lost.
      sums.trips += made.trips + (made.openTrip < 0n ? 1 : 0);
      sums.wins += made.wins;
      madeBy.set(traderId, sums);
    }
    const last = ordered.at(-1)!;
    expected['stats']!.push([
      tokenId,
      last.priceSol,
      last.priceUsd,
      last.seq,
      last.at,
      BigInt(ordered.length),
      holders,
    ]);
  }
  for (const [traderId, sums] of [...madeBy].toSorted(([a], [b]) => a - b)) {
    if (sums.realized !== 0n || sums.trips > 0)
      expected['traders']!.push([traderId, sums.realized, sums.trips, sums.wins]);
  }
  const stored = await loadStored(database);
  return Object.keys(expected).flatMap((part) => differences(part, expected[part]!, stored[part]!));
}

function candles(tokenId: number, ordered: readonly Raw[], stepMs: number): unknown[][] {
  const buckets = Map.groupBy(ordered, (trade) => Math.floor(trade.at.getTime() / stepMs));
  return [...buckets]
    .toSorted(([a], [b]) => a - b)
    .map(([bucket, list]) => {
      const prices = list.map((trade) => trade.priceUsd).toSorted((a, b) => (a < b ? -1 : 1));
      const sum = (valueOf: (trade: Raw) => bigint) => list.reduce((total, trade) => total + valueOf(trade), 0n);
      return [
        tokenId,
        new Date(bucket * stepMs),
        list[0]!.priceUsd,
        prices.at(-1),
        prices[0],
        list.at(-1)!.priceUsd,
        sum((trade) => trade.baseUnits),
        sum((trade) => trade.valueUsd),
        list.filter((trade) => trade.isBuy).length,
        list.filter((trade) => !trade.isBuy).length,
      ];
    });
}

/**
 * Average cost, over the units that were seen to be bought and to arrive. What the wallet had no more when it traded again, without
 * having sold it, was lost: sent away, or taken by a token's tax on a sale.
 */
function profit(
  own: readonly Raw[],
  onWallet: readonly OnWallet[],
): { cost: bigint; realized: bigint; openTrip: bigint; trips: number; wins: number } {
  let [units, cost, realized, trip] = [0n, 0n, 0n, 0n];
  let [trips, wins] = [0, 0];
  const leave = (left: bigint, received: bigint): void => {
    if (left === 0n) return;
    const costOfLeft = left === units ? cost : (cost * left) / units;
    units -= left;
    cost -= costOfLeft;
    realized += received - costOfLeft;
    trip += received - costOfLeft;
    if (units > 0n) return;
    trips += 1;
    if (trip > 0n) wins += 1;
    trip = 0n;
  };
  for (const [index, { isBuy, baseUnits, lamports }] of own.entries()) {
    const { arrived, heldAfter } = onWallet[index]!;
    const heldBefore = heldAfter + (isBuy ? -arrived : baseUnits);
    if (heldBefore < units) leave(units - (heldBefore < 0n ? 0n : heldBefore), 0n);
    if (isBuy) {
      units += arrived;
      cost += lamports;
    } else {
      const sold = baseUnits < units ? baseUnits : units;
      leave(sold, (lamports * sold) / baseUnits);
    }
  }
  return { cost, realized, openTrip: trip, trips, wins };
}

async function loadStored(database: Database): Promise<Record<string, unknown[]>> {
  const rows = async (text: string) => (await database.query(text)).map((row) => Object.values(row));
  const candle = `token_id, start, o, h, l, c, v, v_usd, buys, sells`;
  return {
    minutes: await rows(`select ${candle} from candle_1m order by 1, 2`),
    hours: await rows(`select ${candle} from candle_hour order by 1, 2`),
    stats: await rows(
      `select token_id, price_sol, price_usd, last_seq, last_trade_at, trades, holders from token_stats where trades > 0 order by 1`,
    ),
    holders: await rows(
      `select token_id, trader_id, amount, cost_lamports, realized_lamports, round_trips, wins from holder order by 1, 2`,
    ),
    traders: await rows(`select trader_id, realized_lamports, round_trips, wins from trader_stats order by 1`),
  };
}

function differences(part: string, expected: readonly unknown[], stored: readonly unknown[]): string[] {
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}` : inner));
  const found: string[] = [];
  for (let index = 0; index < Math.max(expected.length, stored.length) && found.length < 5; index += 1) {
    const [wanted, is] = [text(expected[index]), text(stored[index])];
    if (wanted !== is) found.push(`${part}: expected ${wanted}, stored ${is}`);
  }
  return found;
}
