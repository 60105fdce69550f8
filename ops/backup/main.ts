// `npm run backup -- FILE` and `npm run restore -- FILE`, on the data folder that DATA_DIR names.
import '../one-line.ts';
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../../apps/launcher/src/start-error.ts';
import { backUp, restore } from './backup.ts';

const [command, file, ...rest] = parseArgs({ allowPositionals: true }).positionals;
const dataDirectory = resolve(process.env['DATA_DIR']?.trim() || 'data');

/** Null where the variable is not set. */
function keyOf(variable: string, read: (pem: Buffer) => KeyObject): KeyObject | null {
  const path = process.env[variable];
  if (!path) return null;
  try {
    const key = read(readFileSync(path));
    if (key.asymmetricKeyType === 'x25519') return key;
  } catch (error) {
    throw new StartError(`${variable}: ${path} cannot be read as a key: ${(error as Error).message}`);
  }
  throw new StartError(`${variable}: ${path} is no X25519 key; openssl genpkey -algorithm x25519 makes one`);
}

try {
  if (file === undefined || rest.length > 0 || (command !== 'backup' && command !== 'restore')) {
    throw new StartError(`usage: npm run ${command === 'restore' ? 'restore' : 'backup'} -- FILE`);
  }
  if (command === 'backup') {
    const key = keyOf('BACKUP_PUBLIC_KEY_FILE', createPublicKey);
    const report = await backUp(dataDirectory, file, key);
    process.stdout.write(`${report.file}: ${report.parts.join(', ')} (${Math.ceil(report.bytes / 1024)} KB)\n`);
    process.stdout.write(
      key
        ? 'It is encrypted: only the private key of BACKUP_PUBLIC_KEY_FILE opens it.\n'
        : 'It holds the keys of all wallets and is not encrypted (BACKUP_PUBLIC_KEY_FILE): keep it as you would keep the money.\n',
    );
    if (!report.parts.includes('postgres')) {
      process.stdout.write('The database is outside of the folder: back it up with pg_dump, before this file.\n');
    }
  } else {
    const key = keyOf('BACKUP_PRIVATE_KEY_FILE', createPrivateKey);
    const { createdAt, parts } = await restore(dataDirectory, file, key);
    process.stdout.write(`${dataDirectory}: ${parts.join(', ')} as of ${createdAt}\n`);
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
