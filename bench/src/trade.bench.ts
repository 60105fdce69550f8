/**
 * What the order engine adds to a trade: time to the confirmed reply against a bare script that quotes, signs, sends and
 * confirms, and throughput of many users at once against the localnet's own limit. Arguments: trades, users.
 */
import { lamports } from '@hunter/domain/numbers/lamports';
import { Keypair } from '@hunter/solana/keypair';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { tradingHandlers } from '../../apps/server/src/http/routes/trading.ts';
import { PoolCache } from '../../apps/server/src/venue/pool-cache.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { startTradingWorld, type Trader, type TradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import { startBenchServer } from './bench-server.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { post, sign } from './venue-calls.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const ONE_SOL = 1_000_000_000n;
const SPEND = '0.01';
const SPEND_LAMPORTS = 10_000_000n;

export default async function measureTrade([trades = '15', users = '200']: readonly string[]): Promise<Figures> {
  return withDatabase(async (_database, url) => {
    const world = await startTradingWorld(url);
    try {
      const single = await measureSingle(world, Number(trades));
      const crowd = await measureCrowd(world, Number(users));
      return {
        ...single,
        ...crowd,
        ok: single.overheadPercent <= 30 && crowd.shareOfLocalnet >= 0.5,
      };
    } finally {
      await world.close();
    }
  });
}

async function measureSingle(world: TradingWorld, count: number) {
  const [trader] = await world.traders(1, 5n * ONE_SOL);
  const keypair = await fundedKeypair(world);
  const server = await startTradingServer(world, trader!);
  try {
    const product: number[] = [];
    const bare: number[] = [];
    for (let index = 0; index < count; index += 1) {
      bare.push(await timed(() => bareTrade(world, keypair)));
      product.push(await timed(() => server.buy()));
    }
    const productMs = median(product);
    const bareMs = median(bare);
    return {
      productMedianMs: round1(productMs),
      bareMedianMs: round1(bareMs),
      overheadPercent: Math.round((productMs / bareMs - 1) * 100),
      overheadBarPercent: 30,
    };
  } finally {
    await server.close();
  }
}

async function measureCrowd(world: TradingWorld, count: number) {
  const traders = await world.traders(count, ONE_SOL);
  const keypairs = await Promise.all(Array.from({ length: count }, () => fundedKeypair(world)));
  const bareMs = await timed(() => Promise.all(keypairs.map((keypair) => bareTrade(world, keypair))));
  const each: number[] = [];
  const totalMs = await timed(() =>
    Promise.all(
      traders.map(async (trader) => {
        const order = { userId: trader.userId, bookId: trader.bookId, mint: world.mint, kind: 'trade' as const };
        each.push(
          await timed(() =>
            world.engine.placeOrder(
              { ...order, side: 'buy', amountIn: lamports(SPEND_LAMPORTS), slippageBps: 3_000 },
              { waitMs: 60_000 },
            ),
          ),
        );
      }),
    ),
  );
  const filled = world.settled.filter((order) => order.state === 'confirmed').length;
  each.sort((left, right) => left - right);
  return {
    crowd: count,
    crowdFilled: filled,
    crowdTradesPerSecond: round1((count / totalMs) * 1000),
    localnetTradesPerSecond: round1((count / bareMs) * 1000),
    shareOfLocalnet: round1(bareMs / totalMs),
    shareBar: 0.5,
    crowdP99Ms: Math.round(each[Math.floor(each.length * 0.99)] ?? 0),
  };
}

async function startTradingServer(world: TradingWorld, trader: Trader) {
  const handlers = tradingHandlers({
    database: world.database,
    engine: world.engine,
    venue: world.venue,
    tokens: world.tokens,
    pools: new PoolCache(world.venue),
    clock: systemClock,
    solUsd: () => null,
    placeInStrategy: (order) => world.engine.placeOrder(order),
    followersInput: async () => lamports(0n),
  });
  const server = await startBenchServer(handlers, { userId: trader.userId });
  const buy = async (): Promise<void> => {
    const response = await fetch(`${server.url}/api/token/tokenTransfer`, {
      method: 'POST',
      headers: { token: 'bench', 'content-type': 'application/json' },
      body: JSON.stringify({ tokenContractAddress: world.mint, side: 'buy', amount: SPEND, slippageBps: 3_000 }),
    });
    const reply = (await response.json()) as { code: number; msg: string; data: { status: string } };
    if (reply.data.status !== 'confirmed') throw new Error(`not confirmed: ${reply.msg}`);
  };
  return { buy, close: () => server.close() };
}

/** Build, sign, send and confirm without books, holds or records. */
async function bareTrade(world: TradingWorld, keypair: Keypair): Promise<void> {
  const query = new URLSearchParams({
    inputMint: WRAPPED_SOL_MINT,
    outputMint: world.mint,
    amount: String(SPEND_LAMPORTS),
    taker: keypair.address,
    slippageBps: '3000',
  });
  const order = (await (await fetch(`${world.venueUrl}/swap/v2/order?${query.toString()}`)).json()) as Record<
    string,
    string
  >;
  const result = await post(world.venueUrl, '/swap/v2/execute', {
    requestId: order['requestId'],
    signedTransaction: sign(keypair, order['transaction']!),
  });
  if (result['status'] !== 'Success') throw new Error(`the bare trade failed: ${String(result['error'])}`);
  await confirmed(world, [result['signature'] as string]);
}

async function confirmed(world: TradingWorld, signatures: readonly string[]): Promise<void> {
  let open = [...signatures];
  for (let look = 0; look < 1_000; look += 1) {
    const { value } = await world.rpc.getSignatureStatuses(open);
    open = open.filter((_, index) => (value[index]?.confirmationStatus ?? 'processed') === 'processed');
    if (open.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('never confirmed');
}

async function fundedKeypair(world: TradingWorld): Promise<Keypair> {
  const keypair = Keypair.generate();
  await world.rpc.requestAirdrop(keypair.address, ONE_SOL);
  return keypair;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}
