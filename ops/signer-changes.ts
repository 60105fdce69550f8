import type { SignerChange } from '@hunter/signer-client/signer-status';
import { auditAfterSigner } from './audit-after-signer.ts';
import { fail, openSigner, say } from './connection.ts';

const USAGE = `Usage: npm run signer-changes                   lists what waits
       npm run signer-changes -- confirm ID     where two operators are configured, each with the own SIGNER_OPERATOR_TOKEN
       npm run signer-changes -- cancel ID`;

const [verb, id, ...rest] = process.argv.slice(2);
if ((verb !== undefined && (id === undefined || !['confirm', 'cancel'].includes(verb))) || rest.length > 0)
  fail(`Neither a list, nor confirm or cancel with one id.\n${USAGE}`);

const signer = openSigner();
const before = verb === undefined ? [] : (await signer.status()).changes;
if (verb === 'confirm') await signer.confirmChange(id!);
if (verb === 'cancel') await signer.cancelChange(id!);
const { changes } = await signer.status();
signer.close();
const named = before.find((change) => change.id === id);
const isOver = !changes.some((change) => change.id === id);
if (named && isOver) say(`${aboutOf(named)}: ${verb === 'confirm' ? 'took effect' : 'dropped'}.`);
for (const change of changes) say(line(change));
if (changes.length === 0) say('No change waits.');

if (verb !== undefined) {
  // Once it is over nothing else says what the id stood for.
  const detail = `${verb} ${id}${named ? `: ${aboutOf(named)}` : ''}`;
  await auditAfterSigner({ event: 'signer-change', detail });
}

function aboutOf({ what }: SignerChange): string {
  return what.kind === 'setting' ? `${what.name} = ${what.value}` : `release of ${what.stop ?? 'everything'}`;
}

function line(change: SignerChange): string {
  const { id: changeId, from, by } = change;
  return `${changeId} ${aboutOf(change)}, not before ${new Date(from).toISOString()}, agreed by ${by.length === 0 ? 'nobody' : by.join(', ')}`;
}
