import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@hunter/solana/address';
import { RpcClient } from '@hunter/solana/rpc-client';
import type { Database } from '../../../apps/server/src/platform/postgres.ts';
import { startChainServices, type ChainServices } from '../../../apps/server/src/trading/world-for-test.ts';
import { registerFunded, type ProductUser } from '../../../scripts/product-client.ts';
import { withDatabase } from '../../../scripts/temporary-database.ts';
import { checkInvariants, type Invariants } from '../soak/invariants.ts';
import { KillableProcess, type StartOptions } from './killable-process.ts';

export type KillableUser = ProductUser & { address: Address };

/** The real server as a process of its own, on a database that outlives it. */
export class KillableServer extends KillableProcess<{ web: string }> {
  url = '';

  override async start(options: StartOptions = {}): Promise<{ web: string }> {
    const ready = await super.start(options);
    this.url = ready.web;
    return ready;
  }

  /** Kills itself at that point (see crash-points.ts). */
  startAndCrashAt(point: string): Promise<unknown> {
    const preload = new URL('./crash-at.ts', import.meta.url).href;
    return this.start({ nodeArgs: ['--import', preload], environment: { CRASH_AT: point } });
  }

  /** A user whose welcome deposit has arrived. */
  async register(): Promise<KillableUser> {
    return (await this.registerAll(1))[0]!;
  }

  async registerAll(count: number): Promise<KillableUser[]> {
    const users = await registerFunded(this.url, count);
    return users.map((user) => ({ ...user, address: user.address as Address }));
  }
}

export type KillableWorld = {
  readonly server: KillableServer;
  readonly database: Database;
  readonly rpc: RpcClient;
  readonly services: ChainServices;
  /** What must be true once everything has come to rest (see soak/invariants.ts). */
  readonly invariants: () => Promise<Invariants>;
};

/** A started server with a database, a localnet whose market stands still and a signer, all of which survive its death. */
export async function withKillableServer<T>(
  work: (world: KillableWorld) => Promise<T>,
  streamOf: (services: ChainServices) => string = ({ rpcWs }) => rpcWs,
): Promise<T> {
  return withDatabase(async (database, databaseUrl) => {
    const services = await startChainServices();
    const folder = mkdtempSync(join(tmpdir(), 'hunter-kill-'));
    const rpc = new RpcClient({ url: services.rpcUrl, timeoutMs: 60_000 });
    const server = new KillableServer('apps/server/src/main.ts', {
      HUNTER_MODE: 'local',
      PORT: '0',
      HOST: '127.0.0.1',
      CHAIN_ID: '501_1',
      DATABASE_URL: databaseUrl,
      SOLANA_RPC_URL: services.rpcUrl,
      SOLANA_WS_URL: streamOf(services),
      VENUE_URL: services.venueUrl,
      SIGNER_SOCKET: services.signerSocket,
      SIGNER_TOKEN: services.signerToken,
      DATA_DIR: folder,
      SIMULATED_STRATEGIES: 'off',
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_SECOND: '100000',
      WEB_DIR: folder,
    });
    try {
      await server.start();
      const invariants = () => checkInvariants({ postgres: databaseUrl, rpc: services.rpcUrl }, { restMs: 300_000 });
      return await work({ server, database, rpc, services, invariants });
    } finally {
      await server.kill();
      rpc.close();
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
