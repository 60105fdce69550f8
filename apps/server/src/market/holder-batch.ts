import type { Sql } from '../platform/postgres.ts';

export type HolderTrade = {
  tokenId: number;
  traderId: number;
  seq: bigint;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  unitsAfter: bigint | null;
};

type HolderRow = {
  tokenId: number;
  traderId: number;
  amount: bigint;
  seq: bigint;
  costLamports: bigint;
  knownUnits: bigint;
  realizedLamports: bigint;
  tripLamports: bigint;
  roundTrips: number;
  wins: number;
};

/**
 * Applies trades, oldest first, to what each wallet holds and has made. The held amount is what the chain said after
 * the newest trade; profit is counted at average cost over the units the wallet was seen to buy, so tokens that came
 * from elsewhere earn nobody a reputation.
 * Answers by how much the number of holders changed per token.
 */
export async function applyHolders(sql: Sql, trades: readonly HolderTrade[]): Promise<Map<number, number>> {
  const pairs = new Map(trades.map((trade) => [`${trade.tokenId}:${trade.traderId}`, trade]));
  const stored = await sql.query<HolderRow>(
    `select token_id as "tokenId", trader_id as "traderId", amount, seq, cost_lamports as "costLamports",
            known_units as "knownUnits", realized_lamports as "realizedLamports", trip_lamports as "tripLamports",
            round_trips as "roundTrips", wins
     from unnest($1::int[], $2::int[]) as pair (token_id, trader_id) join holder using (token_id, trader_id)`,
    [[...pairs.values()].map((trade) => trade.tokenId), [...pairs.values()].map((trade) => trade.traderId)],
  );
  const rows = new Map(stored.map((row) => [`${row.tokenId}:${row.traderId}`, row]));
  const before = new Map(stored.map((row) => [`${row.tokenId}:${row.traderId}`, { ...row }]));
  for (const trade of trades) {
    const key = `${trade.tokenId}:${trade.traderId}`;
    let row = rows.get(key);
    if (!row) {
      row = emptyHolder(trade.tokenId, trade.traderId);
      rows.set(key, row);
    }
    applyTrade(row, trade);
  }
  const changed = [...rows.values()].sort((a, b) => a.tokenId - b.tokenId || a.traderId - b.traderId);
  await saveHolders(sql, changed);
  await addTraderStats(sql, changed, before);
  return holderChanges(changed, before);
}

function emptyHolder(tokenId: number, traderId: number): HolderRow {
  return {
    tokenId,
    traderId,
    amount: 0n,
    seq: 0n,
    costLamports: 0n,
    knownUnits: 0n,
    realizedLamports: 0n,
    tripLamports: 0n,
    roundTrips: 0,
    wins: 0,
  };
}

function applyTrade(row: HolderRow, trade: HolderTrade): void {
  if (trade.isBuy) {
    row.costLamports += trade.lamports;
    row.knownUnits += trade.baseUnits;
  } else if (row.knownUnits > 0n) {
    const units = trade.baseUnits < row.knownUnits ? trade.baseUnits : row.knownUnits;
    const cost = units === row.knownUnits ? row.costLamports : (row.costLamports * units) / row.knownUnits;
    const made = (trade.lamports * units) / trade.baseUnits - cost;
    row.costLamports -= cost;
    row.knownUnits -= units;
    row.realizedLamports += made;
    row.tripLamports += made;
    if (row.knownUnits === 0n) {
      row.roundTrips += 1;
      if (row.tripLamports > 0n) row.wins += 1;
      row.tripLamports = 0n;
    }
  }
  if (trade.seq > row.seq) {
    row.seq = trade.seq;
    row.amount = trade.unitsAfter ?? row.amount + (trade.isBuy ? trade.baseUnits : -trade.baseUnits);
    if (row.amount < 0n) row.amount = 0n;
  }
}

async function saveHolders(sql: Sql, rows: readonly HolderRow[]): Promise<void> {
  await sql.query(
    `insert into holder (token_id, trader_id, amount, seq, cost_lamports, known_units, realized_lamports,
                         trip_lamports, round_trips, wins)
     select * from unnest($1::int[], $2::int[], $3::numeric[], $4::bigint[], $5::numeric[], $6::numeric[],
                          $7::numeric[], $8::numeric[], $9::int[], $10::int[])
     on conflict (token_id, trader_id) do update set amount = excluded.amount, seq = excluded.seq,
       cost_lamports = excluded.cost_lamports, known_units = excluded.known_units,
       realized_lamports = excluded.realized_lamports, trip_lamports = excluded.trip_lamports,
       round_trips = excluded.round_trips, wins = excluded.wins`,
    [
      rows.map((row) => row.tokenId),
      rows.map((row) => row.traderId),
      rows.map((row) => row.amount),
      rows.map((row) => row.seq),
      rows.map((row) => row.costLamports),
      rows.map((row) => row.knownUnits),
      rows.map((row) => row.realizedLamports),
      rows.map((row) => row.tripLamports),
      rows.map((row) => row.roundTrips),
      rows.map((row) => row.wins),
    ],
  );
}

async function addTraderStats(
  sql: Sql,
  rows: readonly HolderRow[],
  before: ReadonlyMap<string, HolderRow>,
): Promise<void> {
  const gains = new Map<number, { realized: bigint; trips: number; wins: number }>();
  for (const row of rows) {
    const old = before.get(`${row.tokenId}:${row.traderId}`);
    const realized = row.realizedLamports - (old?.realizedLamports ?? 0n);
    const trips = row.roundTrips - (old?.roundTrips ?? 0);
    if (realized === 0n && trips === 0) continue;
    const gain = gains.get(row.traderId) ?? { realized: 0n, trips: 0, wins: 0 };
    gain.realized += realized;
    gain.trips += trips;
    gain.wins += row.wins - (old?.wins ?? 0);
    gains.set(row.traderId, gain);
  }
  if (gains.size === 0) return;
  const list = [...gains].sort(([a], [b]) => a - b);
  await sql.query(
    `insert into trader_stats as s (trader_id, realized_lamports, round_trips, wins)
     select * from unnest($1::int[], $2::numeric[], $3::int[], $4::int[])
     on conflict (trader_id) do update set realized_lamports = s.realized_lamports + excluded.realized_lamports,
       round_trips = s.round_trips + excluded.round_trips, wins = s.wins + excluded.wins`,
    [
      list.map(([id]) => id),
      list.map(([, gain]) => gain.realized),
      list.map(([, gain]) => gain.trips),
      list.map(([, gain]) => gain.wins),
    ],
  );
}

function holderChanges(rows: readonly HolderRow[], before: ReadonlyMap<string, HolderRow>): Map<number, number> {
  const changes = new Map<number, number>();
  for (const row of rows) {
    const held = (before.get(`${row.tokenId}:${row.traderId}`)?.amount ?? 0n) > 0n;
    const holds = row.amount > 0n;
    if (held !== holds) changes.set(row.tokenId, (changes.get(row.tokenId) ?? 0) + (holds ? 1 : -1));
  }
  return changes;
}
