/**
 * Secrets made by real use are found nowhere: not in logs, files, database, answers, traces, or the server's heap. They are private keys,
 * passwords, sessions, API keys, secrets of authenticator apps, recovery codes and the keys of push messages; those of the operator
 * (the Telegram token, the server's secret, the signer's token and keys) are in the files that hold them and in no log, row or answer.
 * Started by root, a process under the server's user opens nothing of the signer's.
 * Takes the number of users, 5 unless told. What is public, the address, is looked for the same way and must be found.
 */
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeBase58 } from '@hunter/solana/base58';
import { Keypair } from '@hunter/solana/keypair';
import type { CallName } from '@hunter/contract/calls';
import pg from 'pg';
import { root } from '../../scripts/bootstrap.mjs';
import { ask, hotMints, insist, mailedCode, until, untilFunded } from '../../scripts/product-client.ts';
import type { ProductProcess } from '../../scripts/product-process.ts';
import { enrolApp } from './attack/authenticator-app.ts';
import { processOf } from './soak/product-parts.ts';
import { withProduct } from './running-product.ts';
import { evaluateInside } from './inspected-process.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { needlesOf, searchBytes, searchFile, searchFolder, searchMemory, type Needle } from './secret-search.ts';

/** `secrets` are texts by what they are. */
type Canary = { address: string; privateKey: string; totpKey: Buffer; secrets: Record<string, string> };
type Look = { bytes: number; found: string[]; control: boolean };

/** Nobody answers there, so that what is logged of failures is looked into as well. */
const TELEGRAM_API_URL = 'http://127.0.0.1:9';
const TELEGRAM_BOT_TOKEN = `${randomBytes(4).readUInt32BE()}:${randomBytes(26).toString('base64url')}`;

export default async function proveCanary([users = '5']: readonly string[]): Promise<Figures> {
  // As it runs for everybody, but for what it would log at most and for the port of an inspector that opens later.
  const traces = await collectTraces();
  const environment = {
    NODE_OPTIONS: '--inspect-port=0',
    LOG_LEVEL: 'debug',
    TRACES_URL: traces.url,
    TRACES_PERCENT: '100',
    TELEGRAM_BOT_TOKEN,
    TELEGRAM_API_URL,
  };
  const snapshots = mkdtempSync(join(tmpdir(), 'hunter-canary-heap-'));
  // The server writes its heap there, and may run as another user.
  chmodSync(snapshots, 0o777);
  return withProduct(environment, async (product) => {
    const folder = product.dataDirectory;
    const printed = collectPrinted(product);
    const answers: string[] = [];
    const canaries: Canary[] = [];
    for (let index = 0; index < Number(users); index += 1) canaries.push(await live(product, index, answers));
    const secret = canaries.flatMap(({ privateKey, totpKey, secrets }, index) => {
      const key = decodeBase58(privateKey);
      // Whoever writes the seed down has the key, and whoever writes the key down has both.
      const whole = { 'base58 of the key': privateKey };
      return [
        ...needlesOf(`seed ${index}`, key.subarray(0, 32), whole),
        ...needlesOf(`key of the app ${index}`, totpKey),
        ...Object.entries(secrets).flatMap(([name, text]) =>
          needlesOf(`${name} ${index}`, Buffer.from(text, 'latin1')),
        ),
      ];
    });
    const ofOperator = operatorSecrets(folder);
    const control = canaries.flatMap(({ address }) => needlesOf('address', decodeBase58(address)));

    const looks: Record<string, Look> = {};
    const look = async (where: string, search: (needles: readonly Needle[]) => Promise<Found> | Found) => {
      const { bytes, found } = await search(secret);
      looks[where] = { bytes, found, control: (await search(control)).found.length > 0 };
    };
    const inText = (text: string) => (needles: readonly Needle[]) => {
      const hay = Buffer.from(text, 'utf8');
      return { bytes: hay.length, found: searchBytes(hay, needles) };
    };
    const dump = await dumpDatabase(product.endpoints.postgres);
    for (const table of ['idempotency', 'outbox', 'audit_event', 'local_mail']) {
      if (!dump.has(table)) throw new Error(`there is no table ${table} to look into`);
    }
    const texts = {
      'database rows': [...dump.values()].join('\n'),
      answers: answers.join('\n'),
      'standard output': `${printed()}${canaries[0]!.address}`,
      traces: `${traces.sent()}${canaries[0]!.address}`,
    };
    for (const [where, text] of Object.entries(texts)) await look(where, inText(text));
    await look('heap of the server', await heapSearch(product, snapshots));
    for (const part of ['server', 'localnet', 'postgres'] as const) {
      const pid = processOf(folder, part)!;
      if (searchMemory(pid, []) === null) continue;
      await look(`memory of ${part}`, (needles) => searchMemory(pid, needles)!);
    }
    const readByServer = readAsServer(folder);
    await look('memory of the launcher', (needles) => searchMemory(product.process.pid!, needles)!);
    await product.stop();
    await look('data folder', (needles) => searchFolder(folder, needles));
    const planted = await plantAndFind(snapshots, [...secret, ...ofOperator]);
    const all = Object.entries(looks).flatMap(([where, { found }]) => found.map((name) => `${where}: ${name}`));
    all.push(...(await searchFolder(join(folder, 'logs'), ofOperator)).found.map((found) => `logs: ${found}`));
    for (const [where, text] of Object.entries(texts)) {
      all.push(...inText(text)(ofOperator).found.map((found) => `${where}: ${found}`));
    }
    // Memory that was given back is not wiped: a text cannot be, and the server has had the key as a text for as long as it took
    // to answer. What still lies there then is told, and is no place that anything reads.
    const residue = all.filter((leak) => leak.startsWith('memory of server'));
    const leaks = all.filter((leak) => !residue.includes(leak));
    return {
      users: canaries.length,
      secretsEach: Object.keys(canaries[0]!.secrets).length + 2,
      secretsOfTheOperator: [...new Set(ofOperator.map(({ name }) => name.replace(/, .*/, '')))],
      formsEach: secret.length / canaries.length,
      answers: answers.length,
      spans: traces.sent().split('"spanId"').length - 1,
      tables: dump.size,
      looked: Object.fromEntries(
        Object.entries(looks).map(([where, { bytes, control: seen }]) => [where, { bytes, seen }]),
      ),
      planted,
      leaks,
      residue,
      /** What a process under the server's user reads of the signer; null where all parts have the same user. */
      readByServer,
      ok:
        leaks.length === 0 &&
        (readByServer === null || readByServer.length === 0) &&
        traces.sent().includes('"spanId"') &&
        planted.found === planted.planted &&
        looks['database rows']!.control &&
        looks['data folder']!.control,
    };
  }).finally(() => {
    traces.close();
    rmSync(snapshots, { recursive: true, force: true });
  });
}

/** Tries to open everything of the signer's, its memory included, as the server's user. */
function readAsServer(folder: string): string[] | null {
  const [server, signer] = (['server', 'signer'] as const).map((part) => processOf(folder, part)!);
  const { uid, gid } = statSync(`/proc/${server}`);
  if (process.getuid?.() !== 0 || uid === 0) return null;
  const inFolder = readdirSync(join(folder, 'signer'), { recursive: true, encoding: 'utf8' });
  const files = [
    ...inFolder.map((file) => join(folder, 'signer', file)).filter((file) => statSync(file).isFile()),
    ...['operator.json', join('logs', 'signer.log')].map((file) => join(folder, file)),
    ...['environ', 'mem', 'maps'].map((file) => `/proc/${signer}/${file}`),
  ];
  const code = `for (const file of process.argv.slice(1)) try {
    require('node:fs').closeSync(require('node:fs').openSync(file)); console.log(file) } catch {}`;
  const args = ['--input-type=commonjs', '-e', code, ...files];
  const { stdout, status } = spawnSync(process.execPath, args, { uid, gid, cwd: '/', encoding: 'utf8' });
  // Root reads all of them, so what is not opened is closed to that user and not missing.
  if (status !== 0 || files.some((file) => !existsSync(file))) throw new Error('the signer’s files could not be tried');
  return stdout.split('\n').filter((line) => line !== '');
}

type Found = { bytes: number; found: string[] };

/** An operator's collector that keeps everything it is sent. */
async function collectTraces(): Promise<{ url: string; sent: () => string; close: () => void }> {
  let sent = '';
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      sent += body;
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/traces`, sent: () => sent, close: () => server.close() };
}

function collectPrinted(product: ProductProcess): () => string {
  let text = '';
  const collect = (chunk: Buffer): void => void (text += chunk.toString('latin1'));
  product.process.stdout?.on('data', collect);
  product.process.stderr?.on('data', collect);
  return () => text;
}

/** Somebody who registers and then does everything in which a key is used, rightly and wrongly. */
async function live(product: ProductProcess, index: number, answers: string[]): Promise<Canary> {
  const { web } = product.endpoints;
  const email = `canary-${index}@example.com`;
  const first = `first ${randomBytes(12).toString('hex')}`;
  await insist(web, 'sendEmailCode', { email });
  const registration = {
    email,
    password: first,
    confirmPassword: first,
    verificationCode: await mailedCode(web, email),
    inviteCode: 'HUNTER',
    agreement: true,
  };
  const registered = (await insist(web, 'register', registration)) as {
    token: string;
    wallet: { address: string; privateKey: string };
  };
  const { token } = registered;
  const { address, privateKey } = registered.wallet;
  const hear = async (name: CallName, request: object, mayShowKey = false): Promise<Record<string, unknown>> => {
    const answer = await ask(web, name, request, { token, idempotencyKey: randomUUID() });
    if (!mayShowKey || answer.code !== 200) answers.push(JSON.stringify(answer));
    return answer.data;
  };
  await untilFunded(web, { email, password: first, token, address });
  const [mint] = await hotMints(web);
  await hear('register', registration);
  await hear('login', { email, password: first });
  await hear('login', { email, password: 'not the password at all' });
  const buy = { tokenContractAddress: mint, side: 'buy', amount: '0.05', slippageBps: 1000 };
  await hear('tokenTransfer', buy);
  await hear('tokenClose', { tokenContractAddress: mint, slippageBps: 1000 });
  const toWallet = Keypair.generate().address;
  await hear('withdrawal', { toWallet, amount: '0.5', password: first });
  await hear('withdrawal', { toWallet, amount: '0.5', password: 'not the password at all' });
  // Somebody pastes the key where an address belongs, or a search word, or a password.
  await hear('withdrawal', { toWallet: privateKey, amount: '0.5', password: first });
  await hear('withdrawal', { toWallet, amount: privateKey, password: privateKey });
  await hear('login', { email: privateKey, password: privateKey });
  await hear('sendEmailCode', { email, purpose: 'export' });
  const verificationCode = await until(async () => {
    const code = await mailedCode(web, email);
    return code !== registration.verificationCode && code;
  }, 'the code for the key');
  await hear('exportKey', { password: 'not the password at all', verificationCode });
  await hear('exportKey', { password: first, verificationCode: '000000' });
  const shown = await hear('exportKey', { password: first, verificationCode }, true);
  if (shown['privateKey'] !== privateKey) throw new Error('the key that was shown again is another one');
  const password = `second ${randomBytes(12).toString('hex')}`;
  await hear('changePassword', { oldPassword: first, password, confirmPassword: password });
  await hear('getMyAuditLog', {});
  await hear('getMyWithdrawals', {});
  if (index === 0) {
    const command = [join(root, 'scripts', 'run.mjs'), 'ops/keys-rotate.ts'];
    const env = { ...process.env, DATA_DIR: product.dataDirectory };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { cwd: root, env });
    answers.push(stdout, stderr);
  }
  // A change of the password ends the other sessions, and from here on a factor would be asked for.
  const device = pushDevice();
  await hear('addPushDevice', { ...device, endpoint: `http://127.0.0.1:9/push/${index}` });
  await hear('connectTelegram', {});
  const keys = await Promise.all(
    (['read', 'trade'] as const).map(async (scope) => {
      const wanted = { id: randomUUID(), name: scope, scope, days: 1, ...(scope === 'trade' && { dailySol: '1' }) };
      const { key } = await hear('createApiKey', { ...wanted, password }, true);
      answers.push(JSON.stringify(await ask(web, 'getMyAccount', {}, { bearer: String(key) })));
      answers.push(
        JSON.stringify(await ask(web, 'withdrawal', { toWallet, amount: '0.1', password }, { bearer: String(key) })),
      );
      return [`API key for ${scope}`, String(key)] as const;
    }),
  );
  await hear('getMyApiKeys', {});
  const { secret, key: totpKey, recoveryCodes } = await enrolApp(web, { token, password });
  await hear('getMyFactors', {});
  const [spent] = recoveryCodes;
  const factor = { kind: 'recovery', code: spent };
  await hear('setLoginRule', { password, id: randomUUID(), on: true, factor });
  await hear('login', { email, factor: { kind: 'totp', code: secret } });
  await hear('getMyAlertChannels', {});
  const secrets = {
    'first password': first,
    password,
    session: token,
    'secret of the app': secret,
    'auth of a push device': device.auth,
    ...Object.fromEntries(keys),
    'spent recovery code': spent!,
    'recovery code': recoveryCodes[1]!,
  };
  return { address, privateKey, totpKey, secrets };
}

function pushDevice(): { p256dh: string; auth: string } {
  const ecdh = createECDH('prime256v1');
  return { p256dh: ecdh.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
}

function operatorSecrets(folder: string): Needle[] {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const { signerToken } = JSON.parse(read('operator.json')) as { signerToken: string };
  const { keys } = JSON.parse(read(join('signer', 'keys.json'))) as { keys: Record<string, string> };
  return [
    ...needlesOf('Telegram token', Buffer.from(TELEGRAM_BOT_TOKEN)),
    ...needlesOf('secret of the server', Buffer.from(read('server.secret').trim(), 'hex')),
    ...needlesOf('token of the signer', Buffer.from(signerToken)),
    ...Object.values(keys).flatMap((key, at) => needlesOf(`key of the signer ${at}`, Buffer.from(key, 'base64'))),
  ];
}

/** Every row of every table as text, with byte columns in hexadecimal. */
async function dumpDatabase(url: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const dump = new Map<string, string>();
    for (const { name } of rows) {
      const table = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      dump.set(name.replace('public.', ''), table.rows.map(({ row }) => row).join('\n'));
    }
    return dump;
  } finally {
    await client.end();
  }
}

async function heapSearch(
  product: ProductProcess,
  folder: string,
): Promise<(needles: readonly Needle[]) => Promise<Found>> {
  const file = join(folder, 'server.heapsnapshot');
  await evaluateInside({
    dataDirectory: product.dataDirectory,
    part: 'server',
    pid: processOf(product.dataDirectory, 'server')!,
    // What nobody holds any more is collected first, and long texts are written out whole.
    expression: `(() => {
      const v8 = process.getBuiltinModule('node:v8');
      v8.setFlagsFromString('--expose-gc');
      v8.setFlagsFromString('--heap-snapshot-string-limit=100000000');
      const gc = process.getBuiltinModule('node:vm').runInNewContext('gc');
      for (let round = 0; round < 3; round += 1) gc();
      return v8.writeHeapSnapshot(${JSON.stringify(file)});
    })()`,
  });
  return (needles) => searchFile(file, needles);
}

/** The search is worth nothing unless it finds what is there: each form is planted in a file of its own. */
async function plantAndFind(folder: string, needles: readonly Needle[]): Promise<{ planted: number; found: number }> {
  const file = join(folder, 'planted');
  let found = 0;
  for (const needle of needles) {
    writeFileSync(file, Buffer.concat([Buffer.alloc(1_000, 'x'), needle.bytes, Buffer.alloc(1_000, 'y')]));
    const { found: names } = await searchFile(file, needles);
    if (names.includes(needle.name)) found += 1;
  }
  return { planted: needles.length, found };
}
