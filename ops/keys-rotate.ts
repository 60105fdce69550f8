import { parseArgs } from 'node:util';
import { rotateKeys } from '../apps/server/src/accounts/rotate-keys.ts';
import { openDatabase, openSigner, say } from './connection.ts';

// It takes no arguments: whoever asks for help must not get new keys.
parseArgs({});
const database = await openDatabase();
const signer = openSigner();
const { keyId, rewrapped, retired } = await rotateKeys(database, signer);
signer.close();
await database.close();
say(`${rewrapped} wallets are under the key ${keyId} now.`);
if (retired.length > 0) say(`Retired: ${retired.join(', ')}`);
