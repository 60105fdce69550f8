/**
 * One creator's trade with all followers in one swap: against the same trade without followers, and against the way copy bots
 * work. Posting the allocations is measured against a bare insert of five rows per book. Arguments: followers, how many of them
 * the bot serves, how many allocations are posted, and how many in a second, large round (0 leaves either out). Or `end` and how
 * many follow: ending a strategy against a bare loop of the transactions that return their SOL.
 */
import { lamports } from '@hunter/domain/numbers/lamports';
import { Keypair } from '@hunter/solana/keypair';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { placeStrategyRound } from '../../apps/server/src/strategies/copying/place-strategy-round.ts';
import type { Strategies } from '../../apps/server/src/strategies/strategies.ts';
import { strategiesOn } from '../../apps/server/src/strategies/strategies-for-test.ts';
import type { Strategy } from '../../apps/server/src/strategies/strategy-store.ts';
import { startTradingWorld, type TradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';
import { measureAllocations } from './allocations.ts';
import { strategyWithCrowd } from './strategy-crowd.ts';
import { measureEnd } from './strategy-end.ts';
import { post, sign } from './venue-calls.ts';

const ONE_SOL = 1_000_000_000n;
const FOLLOW_LAMPORTS = ONE_SOL / 5n;
/** A fiftieth of the creator’s own: each follower spends a fiftieth too. */
const SPEND_LAMPORTS = ONE_SOL;
const COPY_LAMPORTS = FOLLOW_LAMPORTS / 50n;
/** What bots of this kind use: one queue with a handful of workers. */
const BOT_PARALLEL = 10;
const WAIT_MS = 240_000;
const ROUNDS = 7;
/** Ten times as many allocations take at most twelve times as long. */
const GROWTH_MAX = 1.2;

export default async function measureCopy([
  followers = '1000',
  served = '200',
  allocations = '10000',
  large = '100000',
]: readonly string[]): Promise<Figures> {
  return withDatabase(async (database, url) => {
    const world = await startTradingWorld(url);
    try {
      const deps = strategiesOn(world);
      if (followers === 'end') return await measureEnd(world, deps, Number(served));
      const alone = await aStrategy(world, deps, 0);
      const followed = await aStrategy(world, deps, Number(followers));
      const times = { alone: [] as number[], followed: [] as number[] };
      const cpu = { alone: [] as number[], followed: [] as number[] };
      // One after the other, so that both have the same machine; the first round of each warms up.
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const who of ['alone', 'followed'] as const) {
          const before = process.cpuUsage();
          const took = await trade(world, deps, who === 'alone' ? alone : followed);
          const used = process.cpuUsage(before);
          if (round === 0) continue;
          times[who].push(took);
          cpu[who].push((used.user + used.system) / 1_000);
        }
      }
      const fills = await fillsOf(world, followed);
      const bot = await measureBot(world, Number(served));
      const roundMs = median(times.followed);
      const ratio = roundMs / median(times.alone);
      const faster = (bot.perFollowerMs * Number(followers)) / roundMs;
      const posted = Number(allocations) > 0 ? await measureAllocations(database, Number(allocations)) : null;
      const many = Number(large) > 0 ? await measureAllocations(database, Number(large)) : null;
      const growth = posted && many ? many.postMs / posted.postMs : 0;
      return {
        ok:
          fills.filled === Number(followers) * (ROUNDS + 1) &&
          ratio <= 1.2 &&
          faster >= 60 &&
          fills.spreadUnits <= 1 &&
          growth <= (GROWTH_MAX * Number(large)) / Number(allocations) &&
          [posted, many].every((each) => each === null || (each.shareOfBareInsert >= 0.4 && each.walBytesEach <= 420)),
        followers: Number(followers),
        roundMs: Math.round(roundMs),
        aloneMs: Math.round(median(times.alone)),
        roundCpuMs: Math.round(median(cpu.followed)),
        aloneCpuMs: Math.round(median(cpu.alone)),
        againstAlone: round2(ratio),
        againstAloneBar: 1.2,
        ...fills,
        bot: { ...bot, served: Number(served), parallel: BOT_PARALLEL },
        fasterThanBot: round2(faster),
        fasterThanBotBar: 60,
        ...(posted === null ? {} : { posted, shareOfBareInsertBar: 0.4, walBytesEachBar: 420 }),
        ...(many === null ? {} : { large: many, growth: round2(growth) }),
      };
    } finally {
      await world.close();
    }
  });
}

async function aStrategy(world: TradingWorld, deps: Strategies, count: number): Promise<Strategy> {
  const [creator] = await world.traders(1, 60n * ONE_SOL);
  const followers = count === 0 ? [] : await world.traders(count, 2n * FOLLOW_LAMPORTS);
  return strategyWithCrowd(world, deps, creator!, followers, FOLLOW_LAMPORTS);
}

/** From the creator's order to the confirmed and posted round, in milliseconds. */
async function trade(world: TradingWorld, deps: Strategies, strategy: Strategy): Promise<number> {
  const started = performance.now();
  const order = await placeStrategyRound(deps, {
    strategyId: strategy.id,
    side: 'buy',
    mint: world.mint,
    amountIn: lamports(SPEND_LAMPORTS),
    slippageBps: 3_000,
    kind: 'trade',
    waitMs: WAIT_MS,
  });
  if (order.filledOut === null) throw new Error(`the round was not filled: ${order.error}`);
  return performance.now() - started;
}

/** How many parts were filled, and by how many base units a part differs from its exact share of the swap. */
async function fillsOf(
  world: TradingWorld,
  strategy: Strategy,
): Promise<{ filled: number; skipped: number; spreadUnits: number }> {
  const [row] = await world.database.query<{ filled: number; skipped: number; spread: number | null }>(
    `select count(*) filter (where a.is_filled)::int as filled, count(*) filter (where a.reason is not null)::int as skipped,
       max(abs(a.filled_out - a.filled_in * t.total_out / t.total_in))::float8 as spread
     from filled_allocation a join trade_order o on o.id = a.order_id
       join lateral (select sum(b.filled_in) as total_in, sum(b.filled_out) as total_out from filled_allocation b where b.order_id = o.id) t on true
     where o.book_id = $1 and a.follow_id is not null`,
    [strategy.bookId],
  );
  return { filled: row!.filled, skipped: row!.skipped, spreadUnits: row!.spread ?? 0 };
}

/** As bots do it: for each follower quote, build, sign, send and wait, a few followers at a time. */
async function measureBot(world: TradingWorld, count: number) {
  const keypairs = await fundedKeypairs(world, count);
  const prices: number[] = [];
  let failed = 0;
  const queue = keypairs.values();
  const worker = async (): Promise<void> => {
    for (const keypair of queue) {
      const price = await botTrade(world, keypair);
      if (price === null) failed += 1;
      else prices.push(price);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: BOT_PARALLEL }, worker));
  const totalMs = performance.now() - started;
  return {
    totalMs: Math.round(totalMs),
    perFollowerMs: round2(totalMs / count),
    failed,
    spreadPercent: spread(prices),
  };
}

async function botTrade(world: TradingWorld, keypair: Keypair): Promise<number | null> {
  const query = new URLSearchParams({
    inputMint: WRAPPED_SOL_MINT,
    outputMint: world.mint,
    amount: String(COPY_LAMPORTS),
    taker: keypair.address,
    slippageBps: '3000',
  });
  const order = (await (await fetch(`${world.venueUrl}/swap/v2/order?${query.toString()}`)).json()) as Record<
    string,
    string
  >;
  if (!order['transaction']) return null;
  const result = await post(world.venueUrl, '/swap/v2/execute', {
    requestId: order['requestId'],
    signedTransaction: sign(keypair, order['transaction']),
  });
  if (result['status'] !== 'Success') return null;
  await confirmed(world, [result['signature'] as string]);
  return Number(result['totalInputAmount']) / Number(result['totalOutputAmount']);
}

async function confirmed(world: TradingWorld, signatures: readonly string[]): Promise<void> {
  let open = [...signatures];
  for (let look = 0; look < 2_000 && open.length > 0; look += 1) {
    const { value } = await world.rpc.getSignatureStatuses(open);
    open = open.filter((_, index) => (value[index]?.confirmationStatus ?? 'processed') === 'processed');
    if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (open.length > 0) throw new Error(`${open.length} transactions were never confirmed`);
}

async function fundedKeypairs(world: TradingWorld, count: number): Promise<Keypair[]> {
  const keypairs = Array.from({ length: count }, () => Keypair.generate());
  for (let start = 0; start < count; start += 100) {
    await Promise.all(
      keypairs.slice(start, start + 100).map(({ address }) => world.rpc.requestAirdrop(address, ONE_SOL / 2n)),
    );
  }
  return keypairs;
}

/** How far the dearest price lies above the cheapest, in percent. */
function spread(prices: readonly number[]): number {
  if (prices.length === 0) return 0;
  const low = prices.reduce((left, right) => Math.min(left, right));
  const high = prices.reduce((left, right) => Math.max(left, right));
  return Math.round((high / low - 1) * 1e8) / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
