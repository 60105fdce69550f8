import { spotPrice } from '@hunter/domain/swap-maths';
import { systemClock } from '../platform/clock.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { createLog } from '../platform/log.ts';
import { loadUnrecorded } from '../portfolio/unrecorded-events.ts';
import type { TradingWorld, Trader } from '../trading/world-for-test.ts';
import { SharedWork } from './shared-work.ts';
import type { Strategies } from './strategies.ts';
import { StrategyLanes } from './strategy-lanes.ts';

/** The area on a real chain, with a real signer and a database of its own. */
export function strategiesOn(world: TradingWorld, overrides: Partial<Strategies> = {}): Strategies {
  return {
    database: world.database,
    engine: world.engine,
    pools: world.pools,
    tokens: world.tokens,
    coinFacts: async (mint) => ({
      badges: ['ok'],
      mintAuthority: 'given-up',
      ageMs: 30 * 86_400_000,
      reference: spotPrice((await world.pools.load([mint])).get(mint)!),
    }),
    loadUnrecorded,
    clock: systemClock,
    bus: new LiveBus(),
    log: createLog('warn'),
    lanes: new StrategyLanes(),
    work: new SharedWork(),
    due: new Set(),
    balanceChanged: () => {},
    creatorBought: async () => {},
    ...overrides,
  };
}

/** The difference between the books of a wallet and the chain, per asset; empty where they agree. */
export async function differencesToChain(world: TradingWorld, trader: Trader): Promise<Record<string, bigint>> {
  const rows = await world.database.query<{ asset: string; amount: bigint }>(
    `select b.asset, sum(b.amount)::numeric(40, 0) as amount from balance b join book k on k.id = b.book_id
     where k.wallet_id = $1 and b.account in ('cash', 'held') group by b.asset`,
    [trader.walletId],
  );
  const differences: Record<string, bigint> = {};
  for (const { asset, amount } of rows) {
    let chain: bigint;
    if (asset === 'SOL') chain = (await world.rpc.getBalance(trader.address)).value;
    else {
      const [account] = await world.database.query<{ address: string }>(
        `select address from token_account where wallet_id = $1 and mint = $2`,
        [trader.walletId, asset],
      );
      const reply = account ? await world.rpc.getMultipleAccounts([account.address as typeof trader.address]) : null;
      const data = reply?.value[0]?.data;
      chain = data ? Buffer.from(data).readBigUInt64LE(64) : 0n;
    }
    if (chain !== amount) differences[asset] = amount - chain;
  }
  return differences;
}
