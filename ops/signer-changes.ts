import type { SignerChange } from '@hunter/signer-client/signer-client';
import { recordAudit } from '../apps/server/src/platform/audit.ts';
import { fail, openDatabase, openSigner, say } from './connection.ts';

const USAGE = `Usage: npm run signer-changes                   lists what waits
       npm run signer-changes -- confirm ID     where two operators are configured, each with the own SIGNER_OPERATOR_TOKEN
       npm run signer-changes -- cancel ID`;

const [verb, id, ...rest] = process.argv.slice(2);
if ((verb !== undefined && (id === undefined || !['confirm', 'cancel'].includes(verb))) || rest.length > 0)
  fail(`Neither a list, nor confirm or cancel with one id.\n${USAGE}`);

const signer = openSigner();
if (verb === 'confirm') await signer.confirmChange(id!);
if (verb === 'cancel') await signer.cancelChange(id!);
const { changes } = await signer.status();
signer.close();
for (const change of changes) say(line(change));
if (changes.length === 0) say('No change waits.');

if (verb !== undefined) {
  const database = await openDatabase();
  await recordAudit(database, { userId: null, event: 'signer-change', address: 'operator', detail: `${verb} ${id}` });
  await database.close();
}

function line({ id: changeId, what, from, by }: SignerChange): string {
  const about = what.kind === 'setting' ? `${what.name} = ${what.value}` : `release of ${what.stop ?? 'everything'}`;
  return `${changeId} ${about}, not before ${new Date(from).toISOString()}, agreed by ${by.length === 0 ? 'nobody' : by.join(', ')}`;
}
