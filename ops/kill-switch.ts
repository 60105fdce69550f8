import { recordAudit } from '../apps/server/src/platform/audit.ts';
import { fail, openDatabase, openSigner, say } from './connection.ts';

const wish = process.argv[2];
if (wish !== 'on' && wish !== 'off') fail('Usage: npm run kill-switch -- on|off');

// The signer first: stopping must not wait for a database.
const signer = openSigner();
await signer.setKillSwitch(wish === 'on');
signer.close();
say(wish === 'on' ? 'Signing is stopped: no transaction leaves any wallet.' : 'Signing goes on.');

const database = await openDatabase();
await recordAudit(database, { userId: null, event: 'kill-switch', address: 'operator', detail: wish });
await database.close();
