import { STOP_KINDS } from '@hunter/signer-client/signer-client';
import { recordAudit } from '../apps/server/src/platform/audit.ts';
import { fail, openDatabase, openSigner, say } from './connection.ts';

const [position, kindText] = process.argv.slice(2);
const kind = STOP_KINDS.find((one) => one === kindText);
if ((position !== 'on' && position !== 'off') || (kindText !== undefined && kind === undefined)) {
  fail(`Usage: npm run kill-switch -- on|off [${STOP_KINDS.join('|')}]`);
}

// The signer first: stopping must not wait for a database.
const signer = openSigner();
await signer.setKillSwitch(position === 'on', kind);
const { stopped } = await signer.status();
signer.close();
say(stopped.length === 0 ? 'Nothing is stopped.' : `The signer refuses: ${stopped.join(', ')}.`);

const database = await openDatabase();
const detail = kind === undefined ? position : `${position} ${kind}`;
await recordAudit(database, { userId: null, event: 'kill-switch', address: 'operator', detail });
await database.close();
