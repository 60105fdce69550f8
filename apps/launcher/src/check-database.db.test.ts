import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { checkOutsideDatabase } from './check-database.ts';
import { RunningLauncher } from './fixtures/running-launcher.ts';

const nowhere = 'postgresql://hunter:secret@127.0.0.1:1/hunter';
const REFUSAL = 'the database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1';

it('takes an outside database that answers, and refuses others without repeating their password', async () => {
  await expect(checkOutsideDatabase(inject('testDatabaseAdminUrl'))).resolves.toBeUndefined();
  const refusal = await checkOutsideDatabase(nowhere).catch((error: Error) => error.message);
  expect(refusal).toBe(REFUSAL);
});

it('ends the start with one line before anything is made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-check-database-'));
  const launcher = await RunningLauncher.start(join(folder, 'data'), { environment: { DATABASE_URL: nowhere } });
  expect(await launcher.ended()).toBe(1);
  expect(launcher.output).toBe(`Hunter cannot start: ${REFUSAL}\n`);
  expect(existsSync(join(folder, 'data'))).toBe(false);
  rmSync(folder, { recursive: true, force: true });
});
