/**
 * The operator's commands against a running product under load: an invite that works, keys rotated while everybody signs and the signer
 * is killed in the middle, and a kill switch that stops all signing within five seconds. Takes the number of users, 8 unless told.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { root } from '../../scripts/bootstrap.mjs';
import {
  ask,
  hotMints,
  insist,
  mailedCode,
  PROOF_PASSWORD,
  registerUser,
  until,
  untilFunded,
  type ProductUser,
} from '../../scripts/product-client.ts';
import { withProduct } from './running-product.ts';
import { checkInvariants } from './soak/invariants.ts';
import { notReady } from './soak/killer.ts';
import { processOf } from './soak/product-parts.ts';
import type { Figures } from '../../scripts/run-named.ts';

const STOPPED_MS_MAX = 5_000;

export default async function proveOperator([users = '8']: readonly string[]): Promise<Figures> {
  return withProduct({ SIMULATED_STRATEGIES: 'off' }, async ({ endpoints, dataDirectory: folder }) => {
    const { web } = endpoints;
    const command = (file: string, ...args: string[]) => run(folder, file, args);
    const database = new pg.Client({ connectionString: endpoints.postgres });
    database.on('error', () => {});
    await database.connect();
    const invite = /^(\S+) \(2 uses\)/.exec((await command('invite', '--uses', '2')).stdout)?.[1];
    if (invite === undefined) throw new Error('the command gave no invite');
    const invited = [await registerWith(web, invite), await registerWith(web, invite), await registerWith(web, invite)];

    const [mint] = await hotMints(web);
    const people: ProductUser[] = [];
    for (let index = 0; index < Number(users); index += 1) {
      people.push(await registerUser(web, `operator-${index}@example.com`));
    }
    await Promise.all(people.map((user) => untilFunded(web, user)));
    const load = new Load(web, mint!);
    const lives = people.map((user) => load.live(user));

    // One rotation without trouble: not one signature may fail.
    const calm = await command('keys-rotate');
    const calmAnswers = load.takeAnswers();
    // Another one, in which the signer dies at every moment of it; the command is given again until it is through.
    let killed = 0;
    let attempts = 0;
    let rough = { code: 1, stdout: '', stderr: '' };
    while (rough.code !== 0 && attempts < 6) {
      attempts += 1;
      const rotating = command('keys-rotate');
      if (killed < 3) {
        await delay(300 + killed * 900);
        process.kill(processOf(folder, 'signer')!, 'SIGKILL');
        killed += 1;
        await until(async () => (await notReady(web)).length === 0, 'the signer to be back', 60_000);
      }
      rough = await rotating;
    }
    const roughAnswers = load.takeAnswers();
    const { rows: keys } = await database.query<{ kek: string; count: string }>(
      `select envelope::jsonb ->> 'kek' as kek, count(*) from wallet group by 1`,
    );

    const startedMs = performance.now();
    const on = await command('kill-switch', 'on');
    await until(async () => load.sawStopped, 'a refusal', 30_000);
    const stoppedMs = performance.now() - startedMs;
    load.takeAnswers();
    const signedBefore = await attemptsIn(database);
    await delay(3_000);
    const signedAfterStop = (await attemptsIn(database)) - signedBefore;
    const stoppedAnswers = load.takeAnswers();
    const off = await command('kill-switch', 'off');
    await until(async () => (load.answers['OK'] ?? 0) > 0, 'a trade after the release', 60_000);
    load.stop();
    await Promise.all(lives);
    const invariants = await checkInvariants(endpoints);
    await database.end();
    const oneKey = keys.length === 1;
    return {
      users: people.length,
      invite: { registered: invited.filter((outcome) => outcome === 'OK').length, third: invited[2] },
      calm: { code: calm.code, said: calm.stdout.trim().split('\n').at(-2) ?? '', answers: calmAnswers },
      rough: { code: rough.code, commands: attempts, kills: killed, answers: roughAnswers },
      keysInUse: keys.length,
      killSwitch: {
        stoppedMs: Math.round(stoppedMs),
        signedAfterStop,
        answers: stoppedAnswers,
        codes: [on.code, off.code],
      },
      broken: invariants.broken,
      ok:
        invited.slice(0, 2).every((outcome) => outcome === 'OK') &&
        invited[2] !== 'OK' &&
        calm.code === 0 &&
        unsigned(calmAnswers) === 0 &&
        rough.code === 0 &&
        (roughAnswers['SIGNING_DENIED'] ?? 0) === 0 &&
        oneKey &&
        stoppedMs <= STOPPED_MS_MAX &&
        signedAfterStop === 0 &&
        invariants.broken.length === 0,
    };
  });
}

/** Answers that mean a signature which should have been given was not. */
function unsigned(answers: Readonly<Record<string, number>>): number {
  return ['SIGNING_DENIED', 'SIGNING_STOPPED', 'UNAVAILABLE', 'INTERNAL', 'no answer'].reduce(
    (sum, name) => sum + (answers[name] ?? 0),
    0,
  );
}

function run(folder: string, file: string, args: readonly string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const script = [join(root, 'scripts', 'run.mjs'), `ops/${file}.ts`, ...args];
    const env = { ...process.env, DATA_DIR: folder };
    execFile(process.execPath, script, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, stdout, stderr });
    });
  });
}

async function registerWith(web: string, inviteCode: string): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await insist(web, 'sendEmailCode', { email });
  const answer = await ask(web, 'register', {
    email,
    password: PROOF_PASSWORD,
    confirmPassword: PROOF_PASSWORD,
    verificationCode: await mailedCode(web, email),
    inviteCode,
    agreement: true,
  });
  return answer.code === 200 ? 'OK' : String(answer.data['error']);
}

async function attemptsIn(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    `select count(*) from signed_transaction where purpose = 'order'`,
  );
  return Number(rows[0]!.count);
}

/** Everybody buys and sells without a pause. */
class Load {
  readonly #web: string;
  readonly #mint: string;
  answers: Record<string, number> = {};
  sawStopped = false;
  #stopped = false;

  constructor(web: string, mint: string) {
    this.#web = web;
    this.#mint = mint;
  }

  stop(): void {
    this.#stopped = true;
  }

  takeAnswers(): Record<string, number> {
    const taken = this.answers;
    this.answers = {};
    return taken;
  }

  async live(user: ProductUser): Promise<void> {
    const tokenContractAddress = this.#mint;
    for (let turn = 0; !this.#stopped; turn += 1) {
      if (turn % 4 === 3) await this.#count(user, 'tokenClose', { tokenContractAddress, slippageBps: 3_000 });
      else {
        const request = { tokenContractAddress, side: 'buy', amount: '0.01', slippageBps: 3_000 };
        await this.#count(user, 'tokenTransfer', request);
      }
    }
  }

  async #count(user: ProductUser, name: 'tokenTransfer' | 'tokenClose', request: object): Promise<void> {
    const asking = { token: user.token, idempotencyKey: randomUUID() };
    const answer = await ask(this.#web, name, request, asking).catch(() => null);
    const outcome = answer === null ? 'no answer' : outcomeOf(answer.data);
    this.answers[outcome] = (this.answers[outcome] ?? 0) + 1;
    if (outcome === 'SIGNING_STOPPED') {
      this.sawStopped = true;
      await delay(100);
    }
  }
}

/** The refusal of the call, or why one of its orders ended without a trade. */
function outcomeOf(data: Record<string, unknown>): string {
  const orders = [data, ...((data['lists'] ?? []) as Record<string, unknown>[])];
  const errors = orders.map((order) => order['error']).filter((error) => typeof error === 'string');
  return errors[0] ?? 'OK';
}
