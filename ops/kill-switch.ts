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
const { waits } = await signer.setKillSwitch(position === 'on', kind);
const { stops } = await signer.status();
signer.close();
for (const { kind: one, why, at } of stops) say(`Stopped: ${one}, since ${new Date(at).toISOString()}, ${why}.`);
if (stops.length === 0) say('Nothing is stopped.');
if (waits !== null) {
  say(
    `Change ${waits.id} waits until ${new Date(waits.from).toISOString()}; agreed: operator ${waits.by.join(' and ')}. See npm run signer-changes.`,
  );
}

const database = await openDatabase();
const detail = kind === undefined ? position : `${position} ${kind}`;
await recordAudit(database, { userId: null, event: 'kill-switch', address: 'operator', detail });
await database.close();
