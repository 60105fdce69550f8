// The localnet on its own, as people run a test validator.

import { resolve } from 'node:path';
import { readAccountFile } from './account-file.ts';
import type { Account } from './chain/chain.ts';
import { HISTORY_GB } from './chain/retention.ts';
import { resetLedger } from './reset-ledger.ts';
import { startLocalnet } from './start-localnet.ts';

const USAGE = `Usage: npm run localnet -- [options]

  --port PORT              HTTP port of the JSON-RPC (8899); the WebSocket takes the next one
  --venue-port PORT        HTTP port of the venue (a free one)
  --data DIR               where the ledger is kept (data/localnet)
  --reset                  start over with an empty ledger
  --no-market              without simulated tokens and traders
  --account ADDRESS FILE   load an account from a file that \`solana account --output json\` wrote; may be repeated,
                           ADDRESS may be - for the one in the file
  --seed TEXT              what the simulated market follows from (hunter)
  --trades-per-second N    pace of the simulated market (4)
  --history-gb N           how much of the ledger's past stays on disk, 0 for all of it (20)
  --help                   this text
`;

class UsageError extends Error {}

type Options = {
  port: number;
  venuePort: number;
  dataDir: string;
  reset: boolean;
  market: boolean;
  seed: string;
  tradesPerSecond: number;
  historyGb: number;
  accounts: { address: string; account: Account }[];
};

function portFrom(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  // The next port must exist too.
  if (!(port >= 1 && port <= 65_534)) throw new UsageError(`${name} must be a port from 1 to 65534, not "${text}"`);
  return port;
}

function numberFrom(name: string, text: string): number {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text)) throw new UsageError(`${name} must be a number, not "${text}"`);
  return Number(text);
}

function readOptions(args: string[]): Options | 'help' {
  const options: Options = {
    port: 8899,
    venuePort: 0,
    dataDir: resolve('data/localnet'),
    reset: false,
    market: true,
    seed: 'hunter',
    tradesPerSecond: 4,
    historyGb: HISTORY_GB,
    accounts: [],
  };
  const rest = [...args];
  const next = (name: string, what: string): string => {
    const value = rest.shift();
    if (value === undefined || value.startsWith('--')) throw new UsageError(`${name} needs ${what}`);
    return value;
  };
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '--help' || name === '-h') return 'help';
    else if (name === '--port') options.port = portFrom(name, next(name, 'a port'));
    else if (name === '--venue-port') options.venuePort = portFrom(name, next(name, 'a port'));
    else if (name === '--data') options.dataDir = resolve(next(name, 'a folder'));
    else if (name === '--reset') options.reset = true;
    else if (name === '--no-market') options.market = false;
    else if (name === '--seed') options.seed = next(name, 'a text');
    else if (name === '--trades-per-second') options.tradesPerSecond = numberFrom(name, next(name, 'a number'));
    else if (name === '--history-gb') options.historyGb = numberFrom(name, next(name, 'a number'));
    else if (name === '--account') {
      const address = next(name, 'an address and a file');
      options.accounts.push(readAccountFile(address, next(name, 'an address and a file')));
    } else throw new UsageError(`there is no option ${name}`);
  }
  return options;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  if (options.reset) resetLedger(options.dataDir);
  const localnet = await startLocalnet({ ...options, onFailure: fail });
  process.stdout.write(
    `Localnet is running; the market on it is simulated.\n\n  JSON-RPC   ${localnet.rpc}\n  WebSocket  ${localnet.rpcWs}\n  Venue      ${localnet.venue}\n  Ledger     ${options.dataDir}\n\nCtrl+C stops it.\n`,
  );
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    localnet.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

main().catch(fail);

function fail(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  process.stderr.write(`localnet: ${isTaken ? `${message}. Choose another with --port.` : message}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
  process.exit(1);
}
