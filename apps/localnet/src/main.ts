// The localnet as a child process: set up by the environment, ready when it says so on stdout, gone with its parent.

import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { SimulatedPeople } from './people/simulated-people.ts';

// Compiling the sources is half of a start; the cache must be on before they are loaded.
enableCompileCache();
const { startLocalnet } = await import('./start-localnet.ts');
const { HISTORY_GB } = await import('./chain/retention.ts');
const { HISTORY_TRADES, historyTradesFrom } = await import('./traders/open-market.ts');

function integer(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return Number(text);
}

function amount(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,6}(\.\d{1,6})?$/.test(text)) throw new Error(`${name} must be a number, not "${text}"`);
  return Number(text);
}

/** The first start of a product with simulated people: makes their past and ends. */
async function past(dataDir: string, web: string): Promise<void> {
  const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
  // Nobody needs half a past: whoever interrupts it begins again.
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, () => process.exit(0));
  process.stdin.on('end', () => process.exit(0)).resume();
  const { makePast } = await import('./past/make-past.ts');
  await makePast({
    dataDir,
    web,
    port: integer('LOCALNET_PORT', 8899),
    venuePort: integer('LOCALNET_VENUE_PORT', 0),
    seed: process.env['MARKET_SEED'] ?? 'hunter',
    historyTrades: historyTrades(),
    ...shortPast(process.env['LOCALNET_SHORT_PAST']),
    onReady: (urls) => say({ ready: true, ...urls }),
    onProgress: (progress) => say({ past: progress }),
  });
  say({ past: { percent: 100, nowMs: null } });
}

/** For tests: moments as many hours apart as the variable says. */
function shortPast(hours: string | undefined): { momentEverySeconds: number } | object {
  if (hours === undefined || hours === '') return {};
  return { momentEverySeconds: integer('LOCALNET_SHORT_PAST', 24) * 3_600 };
}

function historyTrades(): typeof HISTORY_TRADES {
  return historyTradesFrom(integer('MARKET_PAST_TRADES', HISTORY_TRADES.min));
}

async function main(): Promise<void> {
  const dataDir = process.env['DATA_DIR'];
  if (dataDir === undefined || dataDir === '') throw new Error('DATA_DIR must name the folder to keep the ledger in');
  const pastWeb = process.env['LOCALNET_PAST_WEB'];
  if (pastWeb !== undefined && pastWeb !== '') return past(dataDir, pastWeb);
  const localnet = await startLocalnet({
    dataDir,
    port: integer('LOCALNET_PORT', 8899),
    venuePort: integer('LOCALNET_VENUE_PORT', 0),
    market: process.env['LOCALNET_MARKET'] !== 'off',
    seed: process.env['MARKET_SEED'] ?? 'hunter',
    tradesPerSecond: amount('MARKET_TRADES_PER_SECOND', 4),
    historyTrades: historyTrades(),
    accounts: [],
    historyGb: amount('LOCALNET_HISTORY_GB', HISTORY_GB),
    onFailure: endWith,
  });
  let closing: Promise<void> | null = null;
  const stop = (): void => {
    people?.stop();
    closing ??= localnet.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // A parent that dies closes our stdin or the channel to it; nobody else could stop us then.
  process.on('disconnect', stop);
  process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
  const { rpc, rpcWs, venue, venueKey } = localnet;
  process.stdout.write(`${JSON.stringify({ ready: true, rpc, rpcWs, venue, venueKey })}\n`);
  flushCompileCache();
  const web = process.env['LOCALNET_PEOPLE_WEB'];
  if (web === undefined || web === '') return;
  // Loaded last: nobody waits for the simulated people, and the product they use is still starting.
  const { SimulatedPeople } = await import('./people/simulated-people.ts');
  people = new SimulatedPeople({ web, accountsFile: join(dataDir, 'people.json') });
  if (closing === null) people.start();
}

/** The next start reads from disk what is really there. */
function endWith(error: Error): void {
  console.error(error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message);
  process.exit(1);
}

let people: SimulatedPeople | null = null;

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
