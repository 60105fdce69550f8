import { SignerClient } from '@hunter/signer-client/signer-client';
import { RpcClient } from '@hunter/solana/rpc-client';
import { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import { Sessions } from '../accounts/sessions.ts';
import type { Config } from '../config.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import { Database } from '../platform/postgres.ts';
import { loadServerSecret, type ServerSecret } from '../platform/server-secret.ts';

/** Ends the process: what cannot go on must not look as if it did. */
export type StopAtOnce = (reason: string) => never;

/** What every role stands on. `stops` are called in the opposite order when the process stops. */
export type Base = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly signer: SignerClient;
  readonly rpc: RpcClient;
  readonly subscriptions: RpcSubscriptions;
  readonly bus: LiveBus;
  readonly sessions: Sessions;
  readonly stops: (() => Promise<void> | void)[];
  readonly stopAtOnce: StopAtOnce;
};

export function createBase(parts: Pick<Base, 'config' | 'log' | 'stops' | 'stopAtOnce'>): Base {
  const { config, log, stops } = parts;
  const clock = systemClock;
  const database = new Database(config.DATABASE_URL, log);
  stops.push(() => database.close());
  const signer = new SignerClient({ socketPath: config.SIGNER_SOCKET, token: config.SIGNER_TOKEN });
  stops.push(() => signer.close());
  const rpc = new RpcClient({ url: config.SOLANA_RPC_URL });
  stops.push(() => rpc.close());
  const subscriptions = new RpcSubscriptions({
    url: config.SOLANA_WS_URL,
    onError: (error) => log.warn({ error: String(error) }, 'a chain subscription failed'),
  });
  stops.push(() => subscriptions.close());
  return {
    ...parts,
    clock,
    metrics: createMetrics(),
    database,
    secret: loadServerSecret(config.DATA_DIR),
    signer,
    rpc,
    subscriptions,
    bus: new LiveBus(),
    sessions: new Sessions(database, clock),
  };
}
