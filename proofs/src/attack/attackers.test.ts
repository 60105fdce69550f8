import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcClient } from '@hunter/solana/rpc-client';
import { ask, mailedCode } from '../../../scripts/product-client.ts';
import { startProduct, type ProductProcess } from '../../../scripts/product-process.ts';
import {
  besideIdleSockets,
  guessCodes,
  guessPasswords,
  replayKey,
  sendBody,
  sendSlowBody,
  streamFrom,
} from './abuse.ts';
import { checkAuthorisation, checkStolenKeys, missingRows } from './authorisation.ts';
import { fuzz } from './fuzz.ts';
import { Scenes } from './scenes.ts';
import { setStage, type Stage } from './stage.ts';
import { playStranger } from './stranger.ts';

// One real product, as `npm start` runs it, for everything that attackers try.

let folder: string;
let product: ProductProcess;
let web: string;
let stage: Stage;
/** Trickles beside everything else; nothing in here may take longer than its patience. */
const SLOW_BODY_PATIENCE_MS = 120_000;
let slowBody: Promise<number>;
/** Waits for the chain most of the time, so it plays beside everything else, too. */
let strangers: Promise<Scenes>;
let rpc: RpcClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-attack-'));
  product = await startProduct(folder, {
    SIMULATED_STRATEGIES: 'off',
    MARKET_PAST_TRADES: '20',
    RATE_LIMIT_PER_SECOND: '100000',
    SIGNER_LARGE_SOL: '1',
  });
  web = product.endpoints.web;
  slowBody = sendSlowBody(web, SLOW_BODY_PATIENCE_MS);
  stage = await setStage(web);
  rpc = new RpcClient({ url: product.endpoints.rpc });
  const scenes = new Scenes(web);
  strangers = playStranger(scenes, web, rpc).then(() => scenes);
  strangers.catch(() => {});
});

afterAll(async () => {
  rpc?.close();
  await product?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the authorisation matrix', () => {
  it('has a row for every call of the contract', () => {
    expect(missingRows()).toEqual([]);
  });

  it('gives nobody anything of somebody else, and does not tell theirs from what does not exist', async () => {
    const { leaks, checks } = await checkAuthorisation(stage);
    expect(leaks).toEqual([]);
    expect(checks).toBeGreaterThan(200);
  });

  it('opens to a stolen API key exactly what its scope says', async () => {
    expect(await checkStolenKeys(stage)).toEqual([]);
  });
});

describe('the doors', () => {
  it('refuse a huge body and go on', async () => {
    expect(await sendBody(web, 100 * 1024)).toBe(1001);
    expect([1001, 'cut off']).toContain(await sendBody(web, 10 * 1024 * 1024));
    expect(await sendBody(web, 10)).toBe(1002);
  });

  it(
    'cut off a body that comes byte by byte',
    async () => {
      expect(await slowBody).toBeLessThan(SLOW_BODY_PATIENCE_MS);
    },
    SLOW_BODY_PATIENCE_MS,
  );

  it('answer beside two thousand sockets that say nothing', async () => {
    expect((await besideIdleSockets(web, 2_000)).opened).toBe(2_000);
  });

  it('open the stream to pages of their own origin only', async () => {
    expect(await streamFrom(web, web)).toBe(101);
    expect(await streamFrom(web, undefined)).toBe(101);
    for (const origin of ['https://evil.example', 'null', `${web}.evil.example`, 'http://localhost:1', 'nonsense']) {
      expect(await streamFrom(web, origin)).toBe(403);
    }
  });

  it('give a repeated key the first answer, and neither another request nor another user anything of it', async () => {
    expect(await replayKey(web, stage.victim, stage.attacker, stage.mint)).toEqual({
      isRepeatedAlike: true,
      changed: 'IDEMPOTENCY_CONFLICT',
      isStolen: false,
    });
  });

  it('stand guessing of codes: after five tries the right one is dead too', async () => {
    const { email } = stage.attacker;
    const outcomes = await guessCodes(web, email, 8);
    expect(outcomes.filter((outcome) => outcome === 'OK')).toEqual([]);
    const code = await mailedCode(web, email);
    const password = 'a guessed password 3';
    const late = { email, verificationCode: code, password, confirmPassword: password };
    expect((await ask(web, 'resetPassword', late)).data['error']).toBe('WRONG_CODE');
  });

  it('slow guessing of passwords down', async () => {
    const outcomes = await guessPasswords(web, stage.victim.email, 12);
    expect(outcomes).not.toContain('OK');
    // On a slow machine the pause before the last guess may be over when it comes.
    expect(outcomes).toContain('RATE_LIMITED');
  });
});

describe('a stranger', () => {
  it('gains nothing by dust, tokens of his own, accounts handed over, odd destinations and look-alikes', async () => {
    const { rows } = await strangers;
    expect(rows.filter(({ ok }) => !ok)).toEqual([]);
    expect(rows).toHaveLength(17);
  });
});

describe('hostile requests', () => {
  it('never meet an internal error, on any call or on the stream', async () => {
    const { faults, requests } = await fuzz(web, { requests: 2_000, seed: 20_261_115 });
    expect(faults).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(2_000);
  });

  it('leave no unhandled error in the logs and every part running', () => {
    const log = readFileSync(join(folder, 'logs', 'server.log'), 'utf8');
    expect(log).not.toMatch(/unhandled|uncaught|a request failed|a stream message failed|exited with|ended by/i);
  });
});
