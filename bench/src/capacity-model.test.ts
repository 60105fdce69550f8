import { describe, expect, it } from 'vitest';
import { bytesPerDay, coresNeeded, firstBottleneck, simulateDay, type Load, type UnitCosts } from './capacity-model.ts';

const costs: UnitCosts = {
  tradeReadMicros: 8,
  tradeServerMicros: 12,
  tradeDatabaseMicros: 40,
  tradeBytes: 200,
  orderServerMicros: 5_000,
  orderDatabaseMicros: 4_000,
  orderBytes: 3_000,
  allocationServerMicros: 50,
  allocationDatabaseMicros: 100,
  allocationBytes: 300,
  messageMicros: 5,
  signatureMicros: 200,
};
const load: Load = {
  users: 86_400,
  sockets: 1_000,
  marketTradesPerSecond: 1_000,
  ordersPerUserAndDay: 10,
  creatorShare: 0.1,
  followersPerRound: 100,
  messagesPerSocket: 2,
};

describe('the capacity model', () => {
  it('adds up what each station has to do', () => {
    const cores = coresNeeded(costs, load);
    expect(cores.indexer).toBeCloseTo(0.02);
    // 1,000 trades, 20 orders and 200 allocations a second.
    expect(cores.database).toBeCloseTo(0.04 + 0.08 + 0.02);
    expect(cores.engine).toBeCloseTo(0.1 + 0.01);
    expect(cores.stream).toBeCloseTo(0.01);
    expect(bytesPerDay(costs, load)).toEqual({ market: 43_200_000 * 200, own: 864_000 * 3_000 + 8_640_000 * 300 });
  });

  it('lets no work disappear: a station that is too small falls behind and catches up after the burst', () => {
    const small = { indexer: 0.025, database: 1, engine: 1, stream: 1, signer: 1 };
    const { indexer, database } = simulateDay(costs, load, small);
    expect(database).toMatchObject({ lagSecondsMax: 0, minutesBehind: 0 });
    expect(indexer.lagSecondsMax).toBeGreaterThan(0);
    expect(indexer.minutesBehind).toBeGreaterThan(10);
    expect(indexer.minutesBehind).toBeLessThan(24 * 60);
  });

  it('names the station that is the first to fall behind', () => {
    const deployment = { indexer: 1, database: 8, engine: 1, stream: 1, signer: 1 };
    const { station, atShareOfLoad } = firstBottleneck(simulateDay(costs, load, deployment));
    expect(station).toBe('engine');
    const atLimit = simulateDay(costs, scaled(atShareOfLoad * 0.999), deployment);
    expect(Object.values(atLimit).every(({ minutesBehind }) => minutesBehind === 0)).toBe(true);
    expect(simulateDay(costs, scaled(atShareOfLoad * 1.01), deployment).engine.minutesBehind).toBeGreaterThan(0);
  });
});

function scaled(share: number): Load {
  return {
    ...load,
    users: load.users * share,
    sockets: load.sockets * share,
    marketTradesPerSecond: load.marketTradesPerSecond * share,
  };
}
