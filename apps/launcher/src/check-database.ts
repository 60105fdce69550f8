import { StartError } from './start-error.ts';

const TIMEOUT_MS = 10_000;

/**
 * An outside database must take us before anything starts: a server that cannot use it would be started again and again, with all
 * other parts up. Messages do not repeat the address, which holds a password.
 */
export async function checkOutsideDatabase(databaseUrl: string): Promise<void> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    // Where all addresses of a name refuse a connection, the code alone says so.
    throw new StartError(`the database of DATABASE_URL cannot be used: ${message || code}`, { cause: error });
  } finally {
    await client.end();
  }
}
