/** Starts the embedded PostgreSQL of a data folder alone, says so, and stops when its input ends. */
import { join } from 'node:path';
import { startPostgres } from '../../apps/launcher/src/postgres/server.ts';

const data = process.argv[2];
if (data === undefined) throw new Error('usage: postgres-alone.ts DATA_DIR');
const server = await startPostgres({ folder: join(data, 'postgres'), logFile: join(data, 'logs', 'postgres.log') });
process.stdout.write('ready\n');
process.stdin.resume();
process.stdin.once('end', () => {
  void server.stop().then(() => process.exit(0));
});
