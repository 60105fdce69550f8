/** What one unit of work costs, in microseconds of CPU and bytes, as measured on one machine. */
export type UnitCosts = {
  /** From the node: asked for, parsed, decoded. */
  readonly tradeReadMicros: number;
  readonly tradeServerMicros: number;
  readonly tradeDatabaseMicros: number;
  readonly tradeBytes: number;
  readonly orderServerMicros: number;
  readonly orderDatabaseMicros: number;
  readonly orderBytes: number;
  readonly allocationServerMicros: number;
  readonly allocationDatabaseMicros: number;
  readonly allocationBytes: number;
  readonly messageMicros: number;
  readonly signatureMicros: number;
};

/** Of the busiest hour, but for the orders of a day. */
export type Load = {
  readonly users: number;
  readonly sockets: number;
  readonly marketTradesPerSecond: number;
  readonly ordersPerUserAndDay: number;
  /** Of the orders, those of creators whose strategies are followed, and how many books copy each of them. */
  readonly creatorShare: number;
  readonly followersPerRound: number;
  /** Live values that a connection gets in a second. */
  readonly messagesPerSocket: number;
};

/** Cores that can work at a time. */
export type Deployment = { readonly [station in StationName]: number };
export const STATIONS = ['indexer', 'database', 'engine', 'stream', 'signer'] as const;
export type StationName = (typeof STATIONS)[number];

export type StationResult = {
  /** Cores that the busiest hour and the burst in it need. */
  readonly busiestCores: number;
  readonly burstCores: number;
  readonly cores: number;
  /** How far behind it falls at most, and how long until it has caught up. */
  readonly lagSecondsMax: number;
  readonly minutesBehind: number;
};

const MICROS = 1_000_000;
const MINUTES = 24 * 60;
/** People sleep: the busiest hour has twice the day's average. */
const BUSIEST_OVER_AVERAGE = 2;
/** A token that everybody trades: ten minutes of the busiest hour with three times the market and the orders. */
const BURST = { fromMinute: 18 * 60, minutes: 10, factor: 3 };

/** 1 in the busiest hour. */
function activity(minute: number): number {
  const wave = (1 + Math.sin((2 * Math.PI * (minute - 12 * 60)) / MINUTES)) / BUSIEST_OVER_AVERAGE;
  const isBurst = minute >= BURST.fromMinute && minute < BURST.fromMinute + BURST.minutes;
  return isBurst ? wave * BURST.factor : wave;
}

/** Work per second of the busiest hour, in cores. */
export function coresNeeded(costs: UnitCosts, load: Load): Record<StationName, number> {
  const orders = (BUSIEST_OVER_AVERAGE * load.users * load.ordersPerUserAndDay) / 86_400;
  const allocations = orders * load.creatorShare * load.followersPerRound;
  return {
    indexer: (load.marketTradesPerSecond * (costs.tradeReadMicros + costs.tradeServerMicros)) / MICROS,
    database:
      (load.marketTradesPerSecond * costs.tradeDatabaseMicros +
        orders * costs.orderDatabaseMicros +
        allocations * costs.allocationDatabaseMicros) /
      MICROS,
    engine: (orders * costs.orderServerMicros + allocations * costs.allocationServerMicros) / MICROS,
    stream: (load.sockets * load.messagesPerSocket * costs.messageMicros) / MICROS,
    signer: (orders * costs.signatureMicros) / MICROS,
  };
}

/** A day, minute by minute: what a station cannot do in its minute waits for the next. */
export function simulateDay(costs: UnitCosts, load: Load, deployment: Deployment): Record<StationName, StationResult> {
  const needed = coresNeeded(costs, load);
  const results = STATIONS.map((station) => {
    const cores = deployment[station];
    let backlog = 0;
    let lagSecondsMax = 0;
    let minutesBehind = 0;
    let burstCores = 0;
    for (let minute = 0; minute < MINUTES; minute += 1) {
      // Live values are coalesced per token: sockets do not get more of them in a burst.
      const arriving = needed[station] * (station === 'stream' ? Math.min(activity(minute), 1) : activity(minute));
      burstCores = Math.max(burstCores, arriving);
      backlog = Math.max(0, backlog + (arriving - cores) * 60);
      if (backlog > 0) minutesBehind += 1;
      lagSecondsMax = Math.max(lagSecondsMax, backlog / cores);
    }
    const result = { busiestCores: needed[station], burstCores, cores, lagSecondsMax, minutesBehind };
    return [station, result] as const;
  });
  return Object.fromEntries(results) as Record<StationName, StationResult>;
}

/** The station that is the first to fall behind when everything grows alike, and at which part of this load it does. */
export function firstBottleneck(results: Readonly<Record<StationName, StationResult>>): {
  station: StationName;
  atShareOfLoad: number;
} {
  const shares = STATIONS.map((station) => ({
    station,
    atShareOfLoad: results[station].cores / results[station].burstCores,
  }));
  return shares.reduce((least, each) => (each.atShareOfLoad < least.atShareOfLoad ? each : least));
}

/** Disk of a day, before anything is thinned out or thrown away. */
export function bytesPerDay(costs: UnitCosts, load: Load): { market: number; own: number } {
  const orders = load.users * load.ordersPerUserAndDay;
  return {
    market: (load.marketTradesPerSecond / BUSIEST_OVER_AVERAGE) * 86_400 * costs.tradeBytes,
    own: orders * costs.orderBytes + orders * load.creatorShare * load.followersPerRound * costs.allocationBytes,
  };
}
