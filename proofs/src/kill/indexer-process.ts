/** The market indexer alone, to be killed: reads the chain named in its environment into `DATABASE_URL`. */
import { RpcClient } from '@hunter/solana/rpc-client';
import { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import { ChainSource } from '../../../apps/server/src/market/chain-source.ts';
import { MarketStore } from '../../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../../apps/server/src/market/name-flags.ts';
import { SolUsd } from '../../../apps/server/src/market/sol-usd.ts';
import { systemClock } from '../../../apps/server/src/platform/clock.ts';
import { createLog } from '../../../apps/server/src/platform/log.ts';
import { Database } from '../../../apps/server/src/platform/postgres.ts';
import { LocalVenue } from '../../../apps/server/src/venue/local-venue.ts';

const { DATABASE_URL = '', SOLANA_RPC_URL = '', SOLANA_WS_URL = '', VENUE_URL = '' } = process.env;
const log = createLog('silent');
const database = new Database(DATABASE_URL, log);
const venue = new LocalVenue({ url: VENUE_URL, clock: systemClock });
const store = new MarketStore(database, nameFlagsOf, displayNames);
await store.tokens.load();
const source = new ChainSource({
  rpc: new RpcClient({ url: SOLANA_RPC_URL }),
  subscriptions: new RpcSubscriptions({ url: SOLANA_WS_URL, onError: () => undefined }),
  venue,
  sink: store,
  solUsd: new SolUsd({ venue, database, clock: systemClock, log }),
  clock: systemClock,
  log,
});
await source.prepare();
source.start();
process.stdout.write('{"ready":true}\n');
process.stdin.on('end', () => process.exit(0)).resume();
