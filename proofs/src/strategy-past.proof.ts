/**
 * The generated past of the simulated people: a first start that is killed in the middle is begun again, and `npm run verify -- --all`
 * confirms from the chain what the product then publishes. Takes the market's trades per lively token, 375 unless told.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallReply } from '@hunter/contract/calls';
import { freePort } from '../../apps/launcher/src/free-port.ts';
import { root } from '../../scripts/bootstrap.mjs';
import { insist, until } from '../../scripts/product-client.ts';
import { startProduct, type ProductProcess } from '../../scripts/product-process.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { verifyAll } from './soak/verify-all.ts';

const DAY_MS = 86_400_000;
const RANKED_MIN = 6;
const KILLED_AT_PERCENT = 20;

export default async function provePast([pastTrades = '375']: readonly string[]): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-strategy-past-'));
  const environment = { SIMULATED_PAST: 'on', MARKET_PAST_TRADES: pastTrades };
  try {
    await killFirstStart(folder, environment);
    const wasMarked = existsSync(join(folder, 'first-start'));
    const product = await startProduct(folder, environment);
    try {
      const isMarked = existsSync(join(folder, 'first-start'));
      const figures = await look(product);
      return { ...figures, ok: figures.ok && wasMarked && !isMarked };
    } finally {
      await product.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the product and kills its launcher in the middle of the past; the parts end with it. */
async function killFirstStart(folder: string, environment: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'scripts', 'start.mjs')], {
    cwd: root,
    env: { ...process.env, ...environment, DATA_DIR: folder, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
    const percent = Number(/.*replayed: (\d+) %/s.exec(output)?.[1] ?? 0);
    if (percent >= KILLED_AT_PERCENT) child.kill('SIGKILL');
  });
  await gone;
}

async function look(product: ProductProcess) {
  const { web } = product.endpoints;
  let strategies = await load(web);
  // Records are judged in the background.
  await until(
    async () => {
      strategies = await load(web);
      return strategies.filter(({ tier }) => tier === 'ranked').length >= RANKED_MIN;
    },
    'strategies to be ranked',
    120_000,
  ).catch(() => undefined);
  const ranked = strategies.filter(({ tier }) => tier === 'ranked').length;
  const ended = strategies.filter(({ status }) => status === 'ended').length;
  const losing = strategies.filter(({ yieldRate }) => Number(yieldRate) < 0).length;
  const followed = strategies.filter(({ followers }) => followers > 0).length;
  const oldestDays = Math.max(...strategies.map(({ publishTime }) => (Date.now() - publishTime) / DAY_MS));
  const differing = await verifyAll(product);
  const isCredible = ranked >= RANKED_MIN && ended > 0 && losing > 0 && followed > 0 && oldestDays >= 7;
  return {
    ok: isCredible && differing === null,
    firstStartMs: Math.round(product.readyMs),
    strategies: strategies.length,
    ranked,
    ended,
    losing,
    followed,
    oldestDays: Number(oldestDays.toFixed(2)),
    differing,
  };
}

async function load(web: string): Promise<CallReply<'getStrategyList'>['lists']> {
  const { lists } = await insist(web, 'getStrategyList', { pageSize: 100 });
  return lists as CallReply<'getStrategyList'>['lists'];
}
