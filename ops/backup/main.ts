// `npm run backup -- FILE` and `npm run restore -- FILE`, on the data folder that DATA_DIR names.
import { resolve } from 'node:path';
import { StartError } from '../../apps/launcher/src/start-error.ts';
import { backUp, restore } from './backup.ts';

const [wish, file] = process.argv.slice(2);
const dataDirectory = resolve(process.env['DATA_DIR'] ?? 'data');
try {
  if (file === undefined || (wish !== 'backup' && wish !== 'restore')) {
    throw new StartError(`usage: npm run ${wish === 'restore' ? 'restore' : 'backup'} -- FILE`);
  }
  if (wish === 'backup') {
    const report = backUp(dataDirectory, file);
    process.stdout.write(`${report.file}: ${report.parts.join(', ')} (${Math.ceil(report.bytes / 1024)} KB)\n`);
    process.stdout.write('It holds the keys of all wallets: keep it as you would keep the money.\n');
    if (!report.parts.includes('postgres')) {
      process.stdout.write('The database is outside of the folder: back it up with pg_dump, before this file.\n');
    }
  } else {
    const { createdAt, parts } = restore(dataDirectory, file);
    process.stdout.write(`${dataDirectory}: ${parts.join(', ')} as of ${createdAt}\n`);
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
