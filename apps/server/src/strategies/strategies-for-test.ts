import type { Address } from '@hunter/domain/address';
import { lamports } from '@hunter/domain/numbers/lamports';
import { spotPrice } from '@hunter/domain/market/swap-maths';
import { expect, vi } from 'vitest';
import type { Asset } from '../ledger/journal.ts';
import { systemClock } from '../platform/clock.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { createLog } from '../platform/log.ts';
import { OutboxWorker } from '../platform/outbox.ts';
import { loadUnrecorded } from '../portfolio/unrecorded-events.ts';
import type { TradingWorld } from '../trading/world-for-test.ts';
import { TransferSignerClient } from '../treasury/transfers/transfer-signer.ts';
import { COMMITS_FINAL_TOPIC, type CommitsFinal } from '../treasury/transfers/transfer.ts';
import { Transfers } from '../treasury/transfers/transfers.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { StrategyMarks } from './performance/strategy-marks.ts';
import { SharedWork } from './shared-work.ts';
import type { Strategies } from './strategies.ts';
import { OwnsAllLanes, StrategyLanes } from './strategy-lanes.ts';

/** What a process has once, whatever else a test puts in place of its own. */
type Shared = Pick<Strategies, 'lanes' | 'transfers'>;
const shared = new WeakMap<TradingWorld, Shared>();

function sharedOf(world: TradingWorld): Shared {
  const known = shared.get(world);
  if (known) return known;
  const { database, rpc, signer, beforeClose } = world;
  const log = createLog('error');
  const transferSigner = new TransferSignerClient(database, signer);
  const transfers = new Transfers({
    database,
    rpc,
    signer: transferSigner,
    balances: { changed: () => {} },
    clock: systemClock,
    log,
  });
  const outbox = new OutboxWorker({
    database,
    clock: systemClock,
    log,
    handlers: { [COMMITS_FINAL_TOPIC]: ({ signatures }: CommitsFinal) => transferSigner.commitsFinal(signatures) },
  });
  world.subscriptions.slot(() => transfers.slotSeen());
  transfers.start();
  outbox.start();
  beforeClose.push(async () => {
    await Promise.all([transfers.stop(), outbox.stop()]);
  });
  const created = { lanes: new StrategyLanes(new OwnsAllLanes(database)), transfers };
  shared.set(world, created);
  return created;
}

/** The area on a real chain, with a real signer and a database of its own. */
export function strategiesOn(world: TradingWorld, overrides: Partial<Strategies> = {}): Strategies {
  const spot = async (mint: Address) => spotPrice((await world.pools.load([mint])).get(mint)!);
  return {
    database: world.database,
    engine: world.engine,
    pools: world.pools,
    tokens: world.tokens,
    ...sharedOf(world),
    createWallet: async (owner) => {
      const { address, sealedKey } = await world.signer.createStrategyWallet(owner);
      return { address, sealedKey };
    },
    coinFacts: async () => ({ badges: ['ok'], mintAuthority: 'given-up', ageMs: 30 * 86_400_000 }),
    referencePrice: spot,
    referenceToBuy: spot,
    copiedWallets: async () => [],
    boughtLately: async () => lamports(0n),
    loadUnrecorded,
    clock: systemClock,
    bus: new LiveBus(),
    log: createLog('warn'),
    work: new SharedWork(),
    due: new Set(),
    marks: new StrategyMarks(),
    balanceChanged: () => {},
    creatorBought: async () => {},
    ...overrides,
  };
}

/** The difference between books and chain, per wallet and asset, over all wallets; empty where they agree. */
export async function differencesToChain(world: TradingWorld): Promise<Record<string, bigint>> {
  const rows = await world.database.query<{ wallet: Address; asset: Asset; account: Address | null; amount: bigint }>(
    `select w.address as wallet, b.asset, t.address as account, sum(b.amount)::numeric(40, 0) as amount
     from balance b join book k on k.id = b.book_id join wallet w on w.id = k.wallet_id
       left join token_account t on t.wallet_id = w.id and t.mint = b.asset
     where b.account in ('cash', 'held') group by w.address, b.asset, t.address`,
  );
  const accounts = rows.map(({ wallet, asset, account }) => (asset === 'SOL' ? wallet : account));
  const differences: Record<string, bigint> = {};
  for (const [index, { wallet, asset, amount }] of rows.entries()) {
    const address = accounts[index];
    const reply = address ? await world.rpc.getMultipleAccounts([address]) : null;
    const account = reply?.value[0];
    const chain =
      asset === 'SOL' ? (account?.lamports ?? 0n) : account ? Buffer.from(account.data).readBigUInt64LE(64) : 0n;
    if (chain !== amount) differences[`${wallet} ${asset}`] = amount - chain;
  }
  return differences;
}

/** Lets the lifecycle work, as in the running product, until nothing of the strategy's follows is under way. */
export async function passUntilClosed(deps: Strategies, strategyId: string): Promise<void> {
  const lifecycle = new StrategyLifecycle(deps);
  await vi.waitFor(
    async () => {
      await lifecycle.pass();
      const open = await deps.database.query(
        `select status from follow where strategy_id = $1 and status in ('opening', 'closing')
         union all select status from strategy where id = $1 and status in ('publishing', 'ending')`,
        [strategyId],
      );
      expect(open).toEqual([]);
    },
    { timeout: 120_000, interval: 300 },
  );
}
