import { bigint, int, numeric, selecting, valuesOf, type Columns, type Statement } from './bulk-rows.ts';

/** A token and a wallet. */
export type HolderPair = { tokenId: number; traderId: number };

export type HolderTrade = HolderPair & {
  seq: bigint;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  arrivedUnits: bigint;
  unitsAfter: bigint | null;
};

export type HolderRow = {
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
  /** The day on which the sales of the open trip have lost, which counts it as lost there; 0 while they have not. */
  lostDay: number;
};

/** What a wallet did on one day, counted in days since 1970 (UTC). */
type TraderDay = {
  traderId: number;
  day: number;
  firstSeq: bigint;
  trades: number;
  volumeLamports: bigint;
  realizedLamports: bigint;
  roundTrips: number;
  wins: number;
};

const DAY_MS = 86_400_000;

/** What a pair of token and wallet is now, and what it was; null for one that is new. */
type HolderChange = { readonly old: HolderRow | null; readonly row: HolderRow };

/**
 * Applies trades, oldest first, to what each wallet holds and has made; `stored` is what was there before. The held
 * amount is what the chain said after the newest trade; profit is counted at average cost over the units the wallet was
 * seen to buy, so tokens that came from elsewhere earn nobody a reputation, and losses sent elsewhere cost it.
 */
export function holderBatch(
  stored: readonly HolderRow[],
  trades: readonly (HolderTrade & { atMs: number })[],
): { statements: Statement[]; holderChanges: Map<number, number> } {
  const pairs = new Map<number, HolderChange>();
  const days = new Map<number, TraderDay>();
  for (const row of stored) pairs.set(pairOf(row), { old: row, row: { ...row } });
  for (const trade of trades) {
    const key = pairOf(trade);
    let change = pairs.get(key);
    if (!change) {
      change = { old: null, row: emptyHolder(trade.tokenId, trade.traderId) };
      pairs.set(key, change);
    }
    const { realizedLamports, roundTrips, wins } = change.row;
    applyTrade(change.row, trade);
    const day = dayOf(days, trade.traderId, dayAt(trade.atMs), trade.seq);
    day.trades += 1;
    day.volumeLamports += trade.lamports;
    addGains(days, day, change.row, { realizedLamports, roundTrips, wins });
  }
  const changes = [...pairs.values()].sort((a, b) => a.row.tokenId - b.row.tokenId || a.row.traderId - b.row.traderId);
  return {
    statements: [...savingHolders(changes), ...addingTraderStats([...days.values()])],
    holderChanges: holderChanges(changes),
  };
}

/**
 * Writes off what the wallets do not hold any more although they were not seen to sell it, on the day it was found; `seq` is that
 * of the newest trade then.
 */
export function transferBatch(rows: readonly HolderRow[], found: { atMs: number; seq: bigint }): Statement[] {
  const days = new Map<number, TraderDay>();
  const changes = rows.map((old) => {
    const row = { ...old };
    writeOff(row, row.amount);
    addGains(days, dayOf(days, row.traderId, dayAt(found.atMs), found.seq), row, old);
    return { old, row };
  });
  return [...savingHolders(changes), ...addingTraderStats([...days.values()])];
}

type Gains = Pick<HolderRow, 'realizedLamports' | 'roundTrips' | 'wins'>;

function addGains(days: Map<number, TraderDay>, day: TraderDay, now: HolderRow, before: Gains): void {
  day.realizedLamports += now.realizedLamports - before.realizedLamports;
  day.roundTrips += now.roundTrips - before.roundTrips;
  day.wins += now.wins - before.wins;
  if (hasLost(now) === now.lostDay > 0) return;
  if (hasLost(now)) {
    now.lostDay = day.day;
    day.roundTrips += 1;
    return;
  }
  // Closed, which counts on this day, or made good.
  dayOf(days, now.traderId, now.lostDay, day.firstSeq).roundTrips -= 1;
  now.lostDay = 0;
}

/** Whether the open trip has lost with what was sold of it so far: what is left unsold must not hide that. */
function hasLost({ tripLamports }: HolderRow): boolean {
  return tripLamports < 0n;
}

/** Round trips that a win rate counts. */
export function countedTrips(row: HolderRow): number {
  return row.roundTrips + (hasLost(row) ? 1 : 0);
}

const WALLETS_MAX = 2_147_483_648;

/** One number per pair, in the order of the primary key: exact while there are fewer than 2^22 tokens and 2^31 wallets. */
function pairOf({ tokenId, traderId }: HolderPair): number {
  return tokenId * WALLETS_MAX + traderId;
}

const HOLDER_FIELDS = `token_id as "tokenId", trader_id as "traderId", amount, seq, cost_lamports as "costLamports",
  known_units as "knownUnits", realized_lamports as "realizedLamports", trip_lamports as "tripLamports",
  round_trips as "roundTrips", wins, lost_day as "lostDay"`;

/**
 * Rows with less than the wallet was seen to buy and not to sell. Only those dated before the newest stored trade: of the
 * others a sale may be on its way that explains it.
 */
export function loadingTransferred(tokenIds: readonly number[], newestSeq: bigint): Statement {
  return {
    text: `select ${HOLDER_FIELDS} from holder
     where token_id = any($1) and known_units > amount and seq < $2 order by token_id, trader_id`,
    values: [tokenIds, newestSeq],
  };
}

const PAIR: Columns<number> = {
  token_id: int((pair) => Math.floor(pair / WALLETS_MAX)),
  trader_id: int((pair) => pair % WALLETS_MAX),
};

/** Asks in the order of the primary key, so that neighbours find the pages of the index at hand. */
export function loadingHolders(trades: readonly HolderPair[]): Statement {
  const pairs = Float64Array.from(trades, pairOf)
    .sort()
    .filter((pair, index, all) => pair !== all[index - 1]);
  return {
    text: `select ${HOLDER_FIELDS} from (${selecting(PAIR)}) as pair join holder using (token_id, trader_id)`,
    values: valuesOf(PAIR, pairs),
  };
}

export function emptyHolder(tokenId: number, traderId: number): HolderRow {
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
    lostDay: 0,
  };
}

export function applyTrade(row: HolderRow, trade: HolderTrade): void {
  const isNewest = trade.seq > row.seq;
  if (isNewest && trade.unitsAfter !== null) {
    writeOff(row, trade.unitsAfter + (trade.isBuy ? -trade.arrivedUnits : trade.baseUnits));
  }
  if (trade.isBuy) {
    row.costLamports += trade.lamports;
    row.knownUnits += trade.arrivedUnits;
  } else if (row.knownUnits > 0n) {
    const units = trade.baseUnits < row.knownUnits ? trade.baseUnits : row.knownUnits;
    dispose(row, units, (trade.lamports * units) / trade.baseUnits);
  }
  if (isNewest) {
    row.seq = trade.seq;
    row.amount = trade.unitsAfter ?? row.amount + (trade.isBuy ? trade.arrivedUnits : -trade.baseUnits);
    if (row.amount < 0n) row.amount = 0n;
  }
}

/** What was bought and is neither sold nor held any more has left the wallet for nothing: nobody sends a loss away. */
function writeOff(row: HolderRow, heldUnits: bigint): void {
  const held = heldUnits > 0n ? heldUnits : 0n;
  if (held < row.knownUnits) dispose(row, row.knownUnits - held, 0n);
}

/** Of the units the wallet was seen to buy. */
function dispose(row: HolderRow, units: bigint, proceedsLamports: bigint): void {
  const cost = units === row.knownUnits ? row.costLamports : (row.costLamports * units) / row.knownUnits;
  const made = proceedsLamports - cost;
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

const BOUGHT: Columns<HolderRow> = {
  token_id: int((row) => row.tokenId),
  trader_id: int((row) => row.traderId),
  amount: numeric((row) => row.amount),
  seq: bigint((row) => row.seq),
  cost_lamports: bigint((row) => row.costLamports),
  known_units: numeric((row) => row.knownUnits),
};
const COLUMNS: Columns<HolderRow> = {
  ...BOUGHT,
  realized_lamports: bigint((row) => row.realizedLamports),
  trip_lamports: bigint((row) => row.tripLamports),
  round_trips: int((row) => row.roundTrips),
  wins: int((row) => row.wins),
  lost_day: int((row) => row.lostDay),
};

/** Under the lock of the market's writers, so a row that was not there is still not there. */
function savingHolders(changes: readonly HolderChange[]): Statement[] {
  const added = changes.filter(({ old }) => old === null).map(({ row }) => row);
  const changed = changes.filter(({ old }) => old !== null).map(({ row }) => row);
  const statements: Statement[] = [];
  // Most of them have sold nothing yet, and what is zero need not be sent.
  const unsold = added.filter((row) => row.realizedLamports === 0n && row.tripLamports === 0n && row.roundTrips === 0);
  if (unsold.length > 0) statements.push(insertingHolders(BOUGHT, unsold));
  if (unsold.length < added.length) {
    const sold = added.filter((row) => row.realizedLamports !== 0n || row.tripLamports !== 0n || row.roundTrips !== 0);
    statements.push(insertingHolders(COLUMNS, sold));
  }
  if (changed.length > 0) {
    statements.push({
      text: `update holder h set amount = n.amount, seq = n.seq, cost_lamports = n.cost_lamports,
               known_units = n.known_units, realized_lamports = n.realized_lamports, trip_lamports = n.trip_lamports,
               round_trips = n.round_trips, wins = n.wins, lost_day = n.lost_day
             from (${selecting(COLUMNS)}) as n where h.token_id = n.token_id and h.trader_id = n.trader_id`,
      values: valuesOf(COLUMNS, changed),
    });
  }
  return statements;
}

function insertingHolders(columns: Columns<HolderRow>, rows: readonly HolderRow[]): Statement {
  return {
    text: `insert into holder (${Object.keys(columns).join(', ')}) ${selecting(columns)}`,
    values: valuesOf(columns, rows),
  };
}

function dayAt(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** Trades come oldest first, so the first of a day in a batch is its oldest there. */
function dayOf(days: Map<number, TraderDay>, traderId: number, day: number, firstSeq: bigint): TraderDay {
  const key = day * WALLETS_MAX + traderId;
  let found = days.get(key);
  if (!found) {
    found = {
      traderId,
      day,
      firstSeq,
      trades: 0,
      volumeLamports: 0n,
      realizedLamports: 0n,
      roundTrips: 0,
      wins: 0,
    };
    days.set(key, found);
  }
  return found;
}

const DAY: Columns<TraderDay> = {
  trader_id: int((row) => row.traderId),
  day: int((row) => row.day),
  first_seq: bigint((row) => row.firstSeq),
  trades: int((row) => row.trades),
  volume: bigint((row) => row.volumeLamports),
  realized: bigint((row) => row.realizedLamports),
  trips: int((row) => row.roundTrips),
  wins: int((row) => row.wins),
};

type Gain = { traderId: number; realized: bigint; trips: number; wins: number };

const GAIN: Columns<Gain> = {
  trader_id: int((gain) => gain.traderId),
  realized: bigint((gain) => gain.realized),
  trips: int((gain) => gain.trips),
  wins: int((gain) => gain.wins),
};

/** Needs the lock of the market's writers, as every `merge` here. */
function addingTraderStats(days: readonly TraderDay[]): Statement[] {
  const rows = days.toSorted((a, b) => a.day - b.day || a.traderId - b.traderId);
  const adding: Statement = {
    text: `merge into trader_day as d using (${selecting(DAY)}) as n
     on d.trader_id = n.trader_id and d.day = date '1970-01-01' + n.day
     when matched then update set first_seq = least(d.first_seq, n.first_seq), trades = d.trades + n.trades,
       volume_lamports = d.volume_lamports + n.volume, realized_lamports = d.realized_lamports + n.realized,
       round_trips = d.round_trips + n.trips, wins = d.wins + n.wins
     when not matched then insert
       (trader_id, day, first_seq, trades, volume_lamports, realized_lamports, round_trips, wins)
       values (n.trader_id, date '1970-01-01' + n.day, n.first_seq, n.trades, n.volume, n.realized, n.trips, n.wins)`,
    values: valuesOf(DAY, rows),
  };
  const gains = new Map<number, Gain>();
  for (const { traderId, realizedLamports, roundTrips, wins } of rows) {
    if (realizedLamports === 0n && roundTrips === 0) continue;
    const gain = gains.get(traderId) ?? { traderId, realized: 0n, trips: 0, wins: 0 };
    gain.realized += realizedLamports;
    gain.trips += roundTrips;
    gain.wins += wins;
    gains.set(traderId, gain);
  }
  if (gains.size === 0) return [adding];
  const list = [...gains.values()].sort((a, b) => a.traderId - b.traderId);
  return [
    adding,
    {
      text: `merge into trader_stats as s using (${selecting(GAIN)}) as n on s.trader_id = n.trader_id
     when matched then update set realized_lamports = s.realized_lamports + n.realized,
       round_trips = s.round_trips + n.trips, wins = s.wins + n.wins
     when not matched then insert (trader_id, realized_lamports, round_trips, wins)
       values (n.trader_id, n.realized, n.trips, n.wins)`,
      values: valuesOf(GAIN, list),
    },
  ];
}

/** By how much the number of holders changed per token. */
function holderChanges(changes: readonly HolderChange[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { old, row } of changes) {
    const held = (old?.amount ?? 0n) > 0n;
    const holds = row.amount > 0n;
    if (held !== holds) counts.set(row.tokenId, (counts.get(row.tokenId) ?? 0) + (holds ? 1 : -1));
  }
  return counts;
}
