import { Client } from 'pg';
import { expect, inject, it } from 'vitest';

/** What the server sets for itself and the shell for the program that it runs. */
const THEIRS = /^(PATH|HOME|TZ|LANG|TMPDIR|LD_LIBRARY_PATH|LC_\w+|PG\w+|PWD|OLDPWD|SHLVL|_)$/;

it('inherits nothing of the environment that whoever asks it could read', async () => {
  const client = new Client({ connectionString: inject('testDatabaseAdminUrl') });
  await client.connect();
  try {
    await client.query(`create temporary table variable (name text)`);
    await client.query(`copy variable from program 'env | cut -d= -f1'`);
    const { rows } = await client.query<{ name: string }>(`select name from variable`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ name }) => name).filter((name) => !THEIRS.test(name))).toEqual([]);
  } finally {
    await client.end();
  }
});
