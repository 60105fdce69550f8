import { parseArgs } from 'node:util';
import { STOP_KINDS } from '@hunter/signer-client/stop-kinds';
import { auditAfterSigner } from './audit-after-signer.ts';
import { fail, openSigner, say } from './connection.ts';
import { wordsOf } from '../apps/server/src/platform/words-of.ts';

const USAGE = `Usage: npm run kill-switch                                              says what is stopped, since when and why
       npm run kill-switch -- on|off [${STOP_KINDS.join('|')}]`;

const [position, kindText, ...rest] = parseArgs({ allowPositionals: true }).positionals;
const kind = STOP_KINDS.find((one) => one === kindText);
if (position !== undefined && position !== 'on' && position !== 'off')
  fail(`${position} is neither on nor off.\n${USAGE}`);
if (kindText !== undefined && kind === undefined) fail(`${kindText} is none of the kinds.\n${USAGE}`);
if (rest.length > 0) fail(`One kind at a time, or none for all of them; nothing was changed.\n${USAGE}`);

// The signer first: stopping must not wait for a database.
const signer = openSigner();
const { waits } =
  position === undefined
    ? { waits: null }
    : await signer
        .setKillSwitch(position === 'on', kind)
        .catch((error: Error) => fail(`The signer did not confirm it, so ask again: ${wordsOf(error)}`));
const { stops } = await signer.status();
signer.close();
for (const { kind: one, why, at } of stops) say(`Stopped: ${one}, since ${new Date(at).toISOString()}, ${why}.`);
if (stops.length === 0) say('Nothing is stopped.');
if (waits !== null) {
  say(
    `Change ${waits.id} waits until ${new Date(waits.from).toISOString()}; agreed: operator ${waits.by.join(' and ')}. See npm run signer-changes.`,
  );
}

if (position !== undefined) {
  const detail = kind === undefined ? position : `${position} ${kind}`;
  await auditAfterSigner({ event: 'kill-switch', detail });
}
