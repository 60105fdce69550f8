import { availableParallelism } from 'node:os';
import { existsSync, fstatSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Alarm } from './alarm.ts';
import { readConfig } from './config.ts';
import { CeilingWatch } from './limits/ceiling-watch.ts';
import { connectTo } from './socket/endpoint.ts';
import { SealedKeyVault } from './keys/sealed-key.ts';
import { replaceFile } from './storage/durable-file.ts';
import { lockFolder } from './storage/folder-lock.ts';
import { KeyFile } from './keys/key-file.ts';
import { callMethod } from './socket/methods.ts';
import { pastClock } from './past-clock.ts';
import { PasswordCheck } from './factors/password.ts';
import { PoolCertificates } from './transactions/pool-certificates.ts';
import { RoleFile } from './storage/role-file.ts';
import { Settings } from './limits/settings.ts';
import { Signer } from './signer.ts';
import { SignerError } from './signer-error.ts';
import { SigningPool } from './keys/signing-pool.ts';
import { SignerState } from './memory/signer-state.ts';
import { type Handler, SocketServer } from './socket/socket-server.ts';
import { endPlainly } from './start-failure.ts';
import { Standby } from './standby.ts';
import { StandbyLink } from './storage/standby-link.ts';
import { StrategyRules } from './requests/strategy-rules.ts';
import { SwapVelocity } from './limits/swap-velocity.ts';
import { TotpSecrets } from './factors/totp-secrets.ts';

// The process that holds keys. It uses the files of one folder and one socket, and opens no connection but one to its standby.

const SIGNING_THREADS_MAX = 8;
const started = endPlainly();
// What cannot be read stops the start before it is compared with what is in force.
const { dataDir } = readConfig(process.env);
process.umask(0o077);
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const lock = lockFolder(dataDir);
const settings = Settings.open(join(dataDir, 'settings.json'), process.env, Date.now);
const config = readConfig(settings.effective(process.env));
const now = config.isPast ? pastClock() : Date.now;
// Read once; nothing that runs later in this process has any business with them.
delete process.env.SIGNER_TOKEN;
delete process.env.SIGNER_OPERATOR_TOKEN;
delete process.env.SIGNER_OPERATOR_TOKEN_2;
delete process.env.SIGNER_STANDBY_TOKEN;

const logPath = join(config.dataDir, 'signer.log');
const keyPath = join(config.dataDir, 'keys.json');
const role = new RoleFile(join(config.dataDir, 'role.json'), config.isStandby ? 'standby' : 'active');
let stopping = false;
const closing: (() => Promise<unknown> | void)[] = [];
listenForStop();
const alarm: Alarm = (line) =>
  process.stderr.write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), ...line })}\n`);
if (config.operatorTokens.length === 0) {
  alarm({ msg: 'SIGNER_OPERATOR_TOKEN is not set: a server may release the kill switch and rotate keys' });
}
if (role.now.role === 'standby') await standBy();
const link = standbyLink();
beginLog();
const keys = KeyFile.open(keyPath, statSync(logPath).size === 0);
const state = new SignerState(logPath, now, config.strategy.commitFinalMs);
// Whoever started this process starts it again, until the log can be read and written.
state.onBroken((error) => {
  alarm({ msg: `the log ${logPath} cannot be written, this signer ends: ${(error as Error).message}` });
  process.exit(1);
});
const vault = new SealedKeyVault(keys, config.environment);
const pool = new SigningPool(vault);
if (link) state.replicate(link);
for (const { what, from } of settings.changes) {
  if (what.kind !== 'setting') continue;
  alarm({
    msg: `${what.name} is not in force yet: it waits until ${new Date(from).toISOString()} and a start after that`,
  });
}
const signer = new Signer({
  vault,
  pool,
  keys,
  state,
  passwords: new PasswordCheck({ now, concurrency: 2 }),
  limits: config.limits,
  exportLimits: config.exportLimits,
  resetsPerDay: config.resetsPerDay,
  anomalyLimits: config.anomalyLimits,
  settings,
  strategies: new StrategyRules(state, config.strategy, now, alarm),
  secrets: new TotpSecrets(keys, config.environment),
  party: config.party,
  recovery: config.recovery,
  alarm,
  certificates: new PoolCertificates(config.venueKey),
  swaps: new SwapVelocity(
    config.swapCeilings,
    state.swapTurnovers(),
    new CeilingWatch('what swaps may move in 24 hours has moved', config.swapCeilings.totalLamports, alarm),
  ),
  now,
});
const server = socketServer(async (caller, method, params) => {
  if (caller.isSigner) throw new SignerError('REPLACED', `this signer is active, in epoch ${role.now.epoch}`);
  if (link && method === 'rotate') {
    throw new SignerError(
      'INVALID_PARAMS',
      'a new key must be carried to the standby: rotate with SIGNER_STANDBY=none',
    );
  }
  try {
    const result = await callMethod(signer, caller, method, params);
    return method === 'status' ? { ...(result as object), epoch: role.now.epoch } : result;
  } finally {
    // Stopping must not wait for anybody; everything else, refusals too, leaves only when the standby has what was logged for it.
    const confirmed = link?.confirm();
    if (method === 'status' || method === 'setKillSwitch') confirmed?.catch(() => {});
    else await confirmed;
  }
});
closing.push(
  () => pool.close(),
  () => state.close(),
  () => server.close(),
);
await server.listen(config.isSocketShared);
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
started();
signer.stops.tell();
pool.start({
  threads: config.threads ?? Math.min(SIGNING_THREADS_MAX, availableParallelism()),
  environment: config.environment,
  keys: keys.entries(),
});

/** Before there are keys. Where there are keys and no log, what is lost are limits, freezes, second factors and commits. */
function beginLog(): void {
  if (existsSync(logPath)) return;
  if (existsSync(keyPath)) {
    throw new Error(
      `the log ${logPath} is missing although this signer has been in use: put it back; an empty file there forgets all limits, freezes, second factors and commits`,
    );
  }
  replaceFile(logPath, '');
}

function socketServer(handler: Handler): SocketServer {
  const { endpoint, accessToken, operatorTokens, signerToken } = config;
  return new SocketServer({ handler, endpoint, folder: dataDir, accessToken, operatorTokens, signerToken });
}

/** Settles once an operator has promoted this standby; the process then goes on as the active signer, on the same socket. */
async function standBy(): Promise<void> {
  const promoted = Promise.withResolvers<void>();
  const standby = new Standby({ logPath, keyPath, role, now, onPromoted: () => promoted.resolve() });
  const standing = socketServer((caller, method, params) => standby.call(caller, method, params));
  closing.push(() => standing.close());
  await standing.listen(config.isSocketShared);
  process.stdout.write(`${JSON.stringify({ ready: true, standby: true })}\n`);
  await promoted.promise;
  // The operator hears that it worked before the socket goes.
  await new Promise((resolve) => setImmediate(resolve));
  closing.length = 0;
  await standing.close();
  alarm({ msg: `promoted by an operator: this signer is active, in epoch ${role.now.epoch}` });
}

function standbyLink(): StandbyLink | null {
  const { standby, signerToken } = config;
  if (role.now.role === 'replaced')
    throw new Error('the standby of this signer has been promoted; it never signs again');
  if (standby === null || standby === 'none' || signerToken === null) {
    if (role.now.hasStandby && standby !== 'none') {
      throw new Error('this signer had a standby: set SIGNER_STANDBY, or SIGNER_STANDBY=none if it was never promoted');
    }
    if (role.now.hasStandby) role.set({ hasStandby: false });
    return null;
  }
  role.set({ hasStandby: true });
  return new StandbyLink({
    connect: () => connectTo(standby, dataDir),
    token: signerToken,
    epoch: role.now.epoch,
    keyIds: () => keys.keyIds(),
    alarm,
    onReplaced: () => {
      role.set({ role: 'replaced' });
      alarm({ msg: 'the standby of this signer has been promoted; this one signs nothing from now on' });
    },
  });
}

function stop(): void {
  if (stopping) return;
  stopping = true;
  void closeAll().finally(() => {
    lock.release();
    process.exit(0);
  });
}

async function closeAll(): Promise<void> {
  for (const close of closing.reverse()) await close();
}

function listenForStop(): void {
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);
  // A pipe for stdin is our parent's lifeline; a terminal or a file is not.
  const stdin = fstatSync(0, { bigint: false });
  if (!stdin.isFIFO() && !stdin.isSocket()) return;
  process.stdin.on('end', stop);
  process.stdin.on('close', stop);
  process.stdin.on('error', stop);
  process.stdin.resume();
}
