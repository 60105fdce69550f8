import { parseArgs } from 'node:util';
import { createInvite } from '../apps/server/src/accounts/invites.ts';
import { recordAudit } from '../apps/server/src/platform/audit.ts';
import { fail, openDatabase, say } from './connection.ts';

const USES_MAX = 100_000;

const { values } = parseArgs({ options: { uses: { type: 'string', default: '1' } } });
const uses = /^\d{1,6}$/.test(values.uses) ? Number(values.uses) : 0;
if (uses < 1 || uses > USES_MAX) fail(`Usage: npm run invite -- --uses N (1 to ${USES_MAX})`);

const database = await openDatabase();
const code = await database.transaction(async (sql) => {
  const made = await createInvite(sql, { ownerId: null, uses });
  await recordAudit(sql, { userId: null, event: 'invite-created', address: 'operator', detail: `${uses} uses` });
  return made;
});
await database.close();
say(`${code} (${uses} ${uses === 1 ? 'use' : 'uses'})`);
