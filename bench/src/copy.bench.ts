/**
 * One creator's trade copied by all followers: against executing as many signed swaps on the localnet in a plain loop, and
 * against the way copy bots work. What the localnet needs when it gets all of them in one request is printed as well: no
 * client can be faster than that. Arguments: followers, how many of them the bot serves, followers of the second round (0
 * leaves it out).
 */
import { Keypair } from '@hunter/solana/keypair';
import { WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import { placeStrategyRound } from '../../apps/server/src/strategies/copying/place-strategy-round.ts';
import { strategiesOn } from '../../apps/server/src/strategies/strategies-for-test.ts';
import { startTradingWorld, type TradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { strategyWithCrowd } from './strategy-crowd.ts';
import { post, sign } from './venue-calls.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const ONE_SOL = 1_000_000_000n;
const FOLLOW_LAMPORTS = ONE_SOL / 10n;
/** A tenth of the creator's 10 SOL: each copy spends a tenth of its own. */
const SPEND_LAMPORTS = ONE_SOL;
const COPY_LAMPORTS = FOLLOW_LAMPORTS / 10n;
/** What bots of this kind use: one queue with a handful of workers. */
const BOT_PARALLEL = 10;
const WAIT_MS = 240_000;
const WARM_UP_FOLLOWERS = 300;
const LOOP_ROUND = 250;

export default async function measureCopy([
  followers = '1000',
  served = '200',
  many = '0',
]: readonly string[]): Promise<Figures> {
  return withDatabase(async (_database, url) => {
    const world = await startTradingWorld(url);
    try {
      // Both begin warm: a product that has been running for a minute is measured, not its first round.
      await oneRequest(world, WARM_UP_FOLLOWERS);
      await measureRound(world, WARM_UP_FOLLOWERS);
      const loopMs = await plainLoop(world, Number(followers));
      const batchMs = await oneRequest(world, Number(followers));
      const round = await measureRound(world, Number(followers));
      const bot = await measureBot(world, Number(served));
      const large = Number(many) > 0 ? await measureRound(world, Number(many)) : null;
      const ratio = round.totalMs / loopMs;
      const faster = (bot.perFollowerMs * Number(followers)) / round.totalMs;
      const growth = large && large.totalMs / round.totalMs;
      const growthMax = (Number(many) / Number(followers)) * 1.1;
      return {
        ok:
          round.filled === Number(followers) &&
          ratio <= 2 &&
          faster >= 5 &&
          round.spreadPercent < 0.001 &&
          (large === null || (growth! <= growthMax && large.spreadPercent < 0.001)),
        followers: Number(followers),
        round,
        plainLoopMs: Math.round(loopMs),
        againstPlainLoop: round2(ratio),
        againstPlainLoopBar: 2,
        oneRequestMs: Math.round(batchMs),
        againstOneRequest: round2(round.totalMs / batchMs),
        bot: { ...bot, served: Number(served), parallel: BOT_PARALLEL },
        fasterThanBot: round2(faster),
        fasterThanBotBar: 5,
        ...(large === null ? {} : { large, growth: round2(growth!), growthBar: growthMax }),
      };
    } finally {
      await world.close();
    }
  });
}

async function measureRound(world: TradingWorld, count: number) {
  const parts = strategiesOn(world);
  const [creator] = await world.traders(1, 20n * ONE_SOL);
  const followers = await world.traders(count, 2n * FOLLOW_LAMPORTS);
  const strategy = await strategyWithCrowd(world, parts, creator!, followers, FOLLOW_LAMPORTS);
  const heapBefore = heapMb();
  let heapPeak = heapBefore;
  const watch = setInterval(() => (heapPeak = Math.max(heapPeak, heapMb())), 50);
  const started = performance.now();
  const { result, decideMs, copied, skipped } = await placeStrategyRound(parts, {
    strategyId: strategy.id,
    side: 'buy',
    mint: world.mint,
    amountIn: SPEND_LAMPORTS,
    slippageBps: 3_000,
    kind: 'trade',
    waitMs: WAIT_MS,
  });
  const totalMs = performance.now() - started;
  clearInterval(watch);
  const copies = result!.copies.filter((copy) => copy.filledOut !== null);
  return {
    totalMs: Math.round(totalMs),
    filled: copied,
    skipped,
    scaledBps: result!.scaledBps,
    spreadPercent: spread(copies.map((copy) => Number(copy.filledIn) / Number(copy.filledOut))),
    decideMs: Math.round(decideMs),
    timings: result!.timings,
    heapGrowthMb: Math.round(heapPeak - heapBefore),
  };
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

/** The localnet's own time for as many swaps, built and signed beforehand, one request after the other. */
async function plainLoop(world: TradingWorld, count: number): Promise<number> {
  let elapsedMs = 0;
  // A round is open for a few seconds only, so the loop goes through several of them; signing stays out of its time.
  for (let left = count; left > 0; left -= LOOP_ROUND) {
    const { roundId, transactions } = await signedRound(world, Math.min(left, LOOP_ROUND));
    const started = performance.now();
    const signatures: string[] = [];
    for (const transaction of transactions) signatures.push(...(await execute(world, roundId, [transaction])));
    if (left <= LOOP_ROUND) await confirmed(world, signatures);
    elapsedMs += performance.now() - started;
  }
  return elapsedMs;
}

/** The same with all of them in one request. */
async function oneRequest(world: TradingWorld, count: number): Promise<number> {
  const { roundId, transactions } = await signedRound(world, count);
  const started = performance.now();
  await confirmed(world, await execute(world, roundId, transactions));
  return performance.now() - started;
}

type SignedSwap = { id: string; signedTransaction: string };

async function signedRound(
  world: TradingWorld,
  count: number,
): Promise<{ roundId: string; transactions: SignedSwap[] }> {
  const keypairs = await fundedKeypairs(world, count);
  const [lead, ...others] = keypairs;
  const quote = await post(world.venueUrl, '/swap/v2/round', {
    mint: world.mint,
    side: 'buy',
    slippageBps: 3_000,
    lead: { taker: lead!.address, amount: String(COPY_LAMPORTS) },
    participants: others.map(({ address }, index) => ({
      id: String(index),
      taker: address,
      amount: String(COPY_LAMPORTS),
    })),
  });
  const rows = quote['participants'] as { id: string; transaction: string }[];
  const transactions = rows.map((row, index) => ({
    id: row.id,
    signedTransaction: sign(keypairs[index]!, row.transaction),
  }));
  return { roundId: quote['roundId'] as string, transactions };
}

async function execute(world: TradingWorld, roundId: string, transactions: SignedSwap[]): Promise<string[]> {
  const reply = await post(world.venueUrl, '/swap/v2/round/execute', { roundId, transactions });
  const lists = reply['lists'] as { status: string; signature: string }[];
  if (lists.some((row) => row.status !== 'Success'))
    throw new Error(`not everybody was filled: ${JSON.stringify(lists)}`);
  return lists.map((row) => row.signature);
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

function heapMb(): number {
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
