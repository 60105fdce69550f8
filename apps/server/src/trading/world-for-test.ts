// A whole world for tests and benches: a real localnet and a real signer as child processes, a database of its own, and an engine.

import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { address, type Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import { RpcClient } from '@hunter/solana/rpc-client';
import { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import { SignerClient } from '@hunter/signer-client/signer-client';
import { requireNotFrozen } from '../accounts/freeze.ts';
import { postEntries, SOL } from '../ledger/journal.ts';
import { StoredTokenFacts } from '../market/token-facts.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { Database } from '../platform/postgres.ts';
import { LocalVenue } from '../venue/local-venue.ts';
import { PoolCache } from '../venue/pool-cache.ts';
import { OrderEngine } from './order-engine.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { Order } from './order.ts';
import { WalletSigner } from './wallet-signer.ts';

export type Trader = { userId: string; walletId: string; address: Address; sealedKey: string; bookId: string };

export type TradingWorld = {
  database: Database;
  rpc: RpcClient;
  signer: SignerClient;
  venue: LocalVenue;
  tokens: StoredTokenFacts;
  ports: EnginePorts;
  pools: PoolCache;
  engine: OrderEngine;
  settled: Order[];
  rpcUrl: string;
  venueUrl: string;
  /** A tradable token of the plain Token program with a deep pool. */
  mint: Address;
  traders(count: number, lamports: bigint): Promise<Trader[]>;
  /** The node announces its slots here. */
  subscriptions: RpcSubscriptions;
  /** What others started on this world is stopped before it ends. */
  beforeClose: (() => Promise<void>)[];
  close(): Promise<void>;
};

const TOKEN = 'test-token-0123456789abcdef0123456789abcdef';

export type ChainServices = {
  rpcUrl: string;
  rpcWs: string;
  venueUrl: string;
  signerSocket: string;
  signerToken: string;
  close(): Promise<void>;
};

export type WorldOptions = {
  /** Trades of a lively token before the start. Few look at them, and a whole past (500) costs more than most tests. */
  pastTrades?: number;
  /** Without any, the market stands still and launches nothing. */
  tradesPerSecond?: number;
};

/** A localnet and a signer. */
export async function startChainServices(options: WorldOptions = {}): Promise<ChainServices> {
  const { pastTrades = 5, tradesPerSecond = 0 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'hunter-trading-'));
  const children: ChildProcess[] = [];
  const socketPath = join(folder, 'signer.sock');
  const net = await startChild(children, 'apps/localnet/src/main.ts', {
    LOCALNET_PORT: '0',
    LOCALNET_VENUE_PORT: '0',
    LOCALNET_MARKET: 'on',
    MARKET_TRADES_PER_SECOND: String(tradesPerSecond),
    MARKET_PAST_TRADES: String(pastTrades),
    DATA_DIR: join(folder, 'localnet'),
  });
  const {
    rpc: rpcUrl,
    rpcWs,
    venue: venueUrl,
    venueKey,
  } = net as Record<'rpc' | 'rpcWs' | 'venue' | 'venueKey', string>;
  await startChild(children, 'apps/signer/src/main.ts', {
    SIGNER_SOCKET: socketPath,
    SIGNER_TOKEN: TOKEN,
    SIGNER_ENVIRONMENT: 'test',
    SIGNER_VENUE_KEY: venueKey,
    SIGNER_COMMIT_FINAL_SECONDS: '0',
    DATA_DIR: join(folder, 'signer'),
  });
  return {
    rpcUrl,
    rpcWs,
    venueUrl,
    signerSocket: socketPath,
    signerToken: TOKEN,
    close: async () => {
      for (const child of children) {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startTradingWorld(databaseUrl: string, options: WorldOptions = {}): Promise<TradingWorld> {
  const services = await startChainServices(options);
  const { rpcUrl, rpcWs, venueUrl } = services;
  const log = createLog('error');
  const database = new Database(databaseUrl, log);
  const rpc = new RpcClient({ url: rpcUrl });
  const signer = new SignerClient({ socketPath: services.signerSocket, token: services.signerToken });
  const venue = new LocalVenue({ url: venueUrl, clock: systemClock });
  const tokens = new StoredTokenFacts(database, venue);
  const settled: Order[] = [];
  const pools = new PoolCache(venue);
  const ports: EnginePorts = {
    database,
    venue,
    chain: rpc,
    signer: new WalletSigner(signer),
    tokens,
    clock: systemClock,
    log,
    requireNotFrozen,
    followKey: (leafId) => createHash('sha256').update(leafId).digest(),
    onSettled: (orders) => {
      pools.moved(orders.map(({ mint: traded }) => traded));
      settled.push(...orders);
    },
  };
  const engine = new OrderEngine(ports);
  const subscriptions = new RpcSubscriptions({ url: rpcWs });
  subscriptions.slot(() => engine.slotSeen());
  await engine.recover();
  const mint = await deepestToken(venueUrl);
  const beforeClose: TradingWorld['beforeClose'] = [];
  return {
    subscriptions,
    beforeClose,
    database,
    rpc,
    signer,
    venue,
    tokens,
    ports,
    pools,
    engine,
    settled,
    rpcUrl,
    venueUrl,
    mint,
    traders: (count, lamports) => createTraders({ database, rpc, signer }, count, lamports),
    close: async () => {
      for (const stop of beforeClose) await stop();
      await engine.stop(2_000);
      subscriptions.close();
      signer.close();
      rpc.close();
      await database.close();
      await services.close();
    },
  };
}

async function createTraders(
  { database, rpc, signer }: { database: Database; rpc: RpcClient; signer: SignerClient },
  count: number,
  lamports: bigint,
): Promise<Trader[]> {
  const traders: Trader[] = [];
  const CHUNK = 64;
  for (let start = 0; start < count; start += CHUNK) {
    const some = await Promise.all(
      Array.from({ length: Math.min(CHUNK, count - start) }, async () => {
        const userId = randomUUID();
        const walletId = randomUUID();
        const { address, sealedKey } = await signer.createWallet({
          userId,
          walletId,
          password: 'correct horse battery',
        });
        await rpc.requestAirdrop(address, lamports);
        return { userId, walletId, address, sealedKey, bookId: randomUUID() };
      }),
    );
    traders.push(...some);
  }
  await insertTraders(database, traders, lamports);
  return traders;
}

/** Somebody whose wallet no signer knows. */
export function newTrader(): Trader {
  return {
    userId: randomUUID(),
    walletId: randomUUID(),
    address: encodeBase58(randomBytes(32)) as Address,
    sealedKey: '',
    bookId: randomUUID(),
  };
}

/** Users with a wallet, a personal book and a posted deposit. */
export async function insertTraders(database: Database, traders: readonly Trader[], lamports: bigint): Promise<void> {
  await database.transaction(async (sql) => {
    const column = (name: keyof Trader) => traders.map((trader) => trader[name]);
    await sql.write(
      `insert into users (id, email, email_key, password_hash, display_name)
       select id, id || '@example.com', id || '@example.com', '', id::text from unnest($1::uuid[]) id`,
      [column('userId')],
    );
    await sql.write(
      `insert into wallet (id, user_id, address, envelope) select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])`,
      [column('walletId'), column('userId'), column('address'), column('sealedKey')],
    );
    await sql.write(
      `insert into book (id, user_id, wallet_id, kind, name) select id, user_id, wallet_id, 'personal', 'Personal'
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) v (id, user_id, wallet_id)`,
      [column('bookId'), column('userId'), column('walletId')],
    );
    await postEntries(
      sql,
      traders.map((trader) => ({
        kind: 'deposit',
        reference: `test:${trader.bookId}`,
        postings: [
          { bookId: trader.bookId, account: 'cash' as const, asset: SOL, amount: lamports },
          { bookId: null, account: 'chain' as const, asset: SOL, amount: -lamports },
        ],
      })),
    );
  });
}

/** A plain token with the deepest pool of the venue. */
export async function deepestToken(venueUrl: string): Promise<Address> {
  const response = await fetch(`${venueUrl}/tokens/v2/toptraded/24h?limit=50`);
  const rows = (await response.json()) as { id: string; tokenProgram: string; liquidity: number }[];
  const plain = rows.filter((row) => row.tokenProgram.startsWith('Tokenkeg'));
  plain.sort((left, right) => right.liquidity - left.liquidity);
  return address(plain[0]!.id);
}

function startChild(children: ChildProcess[], path: string, env: Record<string, string>): Promise<unknown> {
  const file = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const message = JSON.parse(line) as { ready?: boolean };
      if (message.ready) resolve(message);
    });
  });
}
