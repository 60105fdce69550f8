import { recordAudit, type AuditEvent } from '../apps/server/src/platform/audit.ts';
import { fail, openDatabase } from './connection.ts';
import { wordsOf } from '../apps/server/src/platform/words-of.ts';

/** Writes down what the signer has done. An operator may reach the signer alone, and must not take it for undone then. */
export async function auditAfterSigner(done: { event: AuditEvent; detail: string }): Promise<void> {
  try {
    const database = await openDatabase();
    await recordAudit(database, { userId: null, address: 'operator', ...done });
    await database.close();
  } catch (error) {
    fail(`The signer did as asked, but the audit log does not have it: ${wordsOf(error as Error)}`);
  }
}
