/**
 * Sends hostile requests made from the contract to a running product: no internal error, no crash, nothing unhandled in
 * the logs. Takes the number of requests, 100,000 unless told, and the seed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { besideIdleSockets, sendBody, sendSlowBody } from './attack/abuse.ts';
import { fuzz } from './attack/fuzz.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withProduct } from './running-product.ts';

const SLOW_BODY_MS_MAX = 60_000;
const IDLE_SOCKETS = 2_000;

export default async function proveFuzz([requests = '100000', seed = '1']: readonly string[]): Promise<Figures> {
  return withProduct({}, async ({ endpoints: { web }, dataDirectory }) => {
    const result = await fuzz(web, { requests: Number(requests), seed: Number(seed) });
    const slowBodyMs = await sendSlowBody(web, SLOW_BODY_MS_MAX);
    const hugeBody = await sendBody(web, 10 * 1024 * 1024);
    const idle = await besideIdleSockets(web, IDLE_SOCKETS);
    const log = readFileSync(join(dataDirectory, 'logs', 'server.log'), 'utf8');
    const complaints = log
      .split('\n')
      .filter((line) => /unhandled|uncaught|a request failed|a stream message failed/i.test(line));
    const isHugeRefused = hugeBody === 1001 || hugeBody === 'cut off';
    const ok = result.faults.length === 0 && complaints.length === 0 && isHugeRefused && slowBodyMs < SLOW_BODY_MS_MAX;
    if (!ok) process.stderr.write(`replay: npm run proof -- fuzz ${requests} ${seed}\n`);
    return { ...result, complaints, slowBodyMs, hugeBody, idle, seed, ok };
  });
}
