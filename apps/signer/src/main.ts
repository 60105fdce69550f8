import { availableParallelism } from 'node:os';
import { existsSync, fstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Alarm } from './alarm.ts';
import { readConfig } from './config.ts';
import { SealedKeyVault } from './sealed-key.ts';
import { lockFolder } from './folder-lock.ts';
import { KeyFile } from './key-file.ts';
import { callMethod } from './methods.ts';
import { pastClock } from './past-clock.ts';
import { PasswordCheck } from './password.ts';
import { PoolCertificates } from './pool-certificates.ts';
import { Settings } from './settings.ts';
import { Signer } from './signer.ts';
import { SigningPool } from './signing-pool.ts';
import { SignerState } from './signer-state.ts';
import { SocketServer } from './socket-server.ts';
import { StrategyRules } from './strategy-rules.ts';
import { SwapVelocity } from './swap-velocity.ts';
import { TotpSecrets } from './totp-secrets.ts';

// The process that holds keys. It opens no network connection, uses the files of one folder and one Unix socket.

const SIGNING_THREADS_MAX = 8;
// What cannot be read stops the start before it is compared with what is in force.
const { dataDir, isPast } = readConfig(process.env);
const now = isPast ? pastClock() : Date.now;
process.umask(0o077);
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const lock = lockFolder(dataDir);
const settings = Settings.open(join(dataDir, 'settings.json'), process.env, Date.now);
const config = readConfig(settings.effective(process.env));
// Read once; nothing that runs later in this process has any business with them.
delete process.env.SIGNER_TOKEN;
delete process.env.SIGNER_OPERATOR_TOKEN;
delete process.env.SIGNER_OPERATOR_TOKEN_2;

const logPath = join(config.dataDir, 'signer.log');
const keys = KeyFile.open(join(config.dataDir, 'keys.json'), !existsSync(logPath));
const state = new SignerState(logPath, now, config.strategy.commitFinalMs);
const vault = new SealedKeyVault(keys, config.environment);
const pool = new SigningPool(vault);
const alarm: Alarm = (line) => process.stderr.write(`${JSON.stringify({ level: 'warn', ...line })}\n`);
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
  swaps: new SwapVelocity(config.swapCeilings, state.swapTurnovers()),
  now,
});
const server = new SocketServer({
  handler: (caller, method, params) => callMethod(signer, caller, method, params),
  accessToken: config.accessToken,
  operatorTokens: config.operatorTokens,
});

let stopping = false;
function stop(): void {
  if (stopping) return;
  stopping = true;
  void server
    .close()
    .then(() => state.close())
    .then(() => pool.close())
    .finally(() => {
      lock.release();
      process.exit(0);
    });
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
// A pipe for stdin is our parent's lifeline; a terminal or a file is not.
const stdin = fstatSync(0, { bigint: false });
if (stdin.isFIFO() || stdin.isSocket()) {
  process.stdin.on('end', stop);
  process.stdin.on('close', stop);
  process.stdin.on('error', stop);
  process.stdin.resume();
}

await server.listen(config.socketPath, config.isSocketShared);
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
// After the answer, so that the threads' start delays nobody.
pool.start({
  threads: config.threads ?? Math.min(SIGNING_THREADS_MAX, availableParallelism()),
  environment: config.environment,
  keys: keys.entries(),
});
