import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RpcClient } from '@hunter/solana/rpc-client';
import { checkSharedSecret, loadServerSecret } from '../apps/server/src/platform/server-secret.ts';
import { RESERVE_KEY } from '../apps/server/src/treasury/reserves/reserve-loop.ts';
import { loadNewestSnapshot, missingOf } from '../apps/server/src/treasury/reserves/reserve-reads.ts';
import { takeReserveSnapshot } from '../apps/server/src/treasury/reserves/take-snapshot.ts';
import { dataDirectory, endpoint, fail, openDatabase, say, setting } from './connection.ts';

// Takes a snapshot of reserves now and prints it. Ends with 1 where an asset is not covered.

parseArgs({});
const rpc = new RpcClient({ url: endpoint('rpc', 'SOLANA_RPC_URL') });
const database = await openDatabase();
const givenSecret = setting('SERVER_SECRET');
if (givenSecret === undefined && !existsSync(join(dataDirectory, 'server.secret'))) {
  fail(`There is no server.secret in ${dataDirectory}: set SERVER_SECRET, or DATA_DIR to the servers' folder.`);
}
const secret = loadServerSecret(dataDirectory, givenSecret);
// With another secret than the servers' nobody's proof would fit the snapshot.
await checkSharedSecret(database, secret, true);
await takeReserveSnapshot({ database, rpc, bookKey: (bookId) => secret.mac(RESERVE_KEY, bookId) });
const snapshot = (await loadNewestSnapshot(database))!;
await database.close();
rpc.close();

say(
  `Snapshot ${snapshot.id} at slot ${snapshot.slot}, ${snapshot.inFlight.length} transactions on their way. Base units:`,
);
for (const row of snapshot.assets) {
  const { kind, asset, owed, unclaimed, onChain, inTransit, root } = row;
  const state = missingOf(row) <= 0n ? 'covered' : 'BELOW WHAT IS OWED';
  say(
    `${kind} ${asset}: owed ${owed}, unassigned ${unclaimed}, on chain ${onChain}, in transit ${inTransit}, ${state}${root === null ? '' : `, root ${root}`}`,
  );
}
if (snapshot.assets.some((row) => missingOf(row) > 0n)) process.exitCode = 1;
