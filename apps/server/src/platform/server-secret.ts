import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from './postgres.ts';

const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A key that never enters the database, so that a copy of the database alone yields no mailed code: six digits
 * would fall to a plain hash within milliseconds.
 */
export class ServerSecret {
  readonly #macKey: Buffer;
  readonly #sealKey: Buffer;

  constructor(secret: Uint8Array) {
    this.#macKey = Buffer.from(hkdfSync('sha256', secret, '', 'mac', SECRET_BYTES));
    this.#sealKey = Buffer.from(hkdfSync('sha256', secret, '', 'seal', SECRET_BYTES));
  }

  /** The parts are joined with their lengths, so that no two lists of parts give the same text. */
  mac(...parts: string[]): Buffer {
    const hmac = createHmac('sha256', this.#macKey);
    for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`);
    return hmac.digest();
  }

  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }
}

/** The secret that was given, else that of the installation, which is made at the first start. */
export function loadServerSecret(dataDirectory: string, given?: string): ServerSecret {
  if (given !== undefined) return new ServerSecret(Buffer.from(given, 'hex'));
  mkdirSync(dataDirectory, { recursive: true });
  const path = join(dataDirectory, 'server.secret');
  const draft = `${path}.${process.pid}`;
  try {
    return new ServerSecret(read(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
  chmodSync(draft, 0o600);
  try {
    // A link fails where the name exists: two servers that start at once agree on the first one's secret.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return new ServerSecret(read(path));
}

function read(path: string): Buffer {
  const secret = Buffer.from(readFileSync(path, 'utf8').trim(), 'hex');
  if (secret.length !== SECRET_BYTES) throw new Error(`${path} does not hold a secret`);
  return secret;
}

/**
 * Servers that share a database must share the secret: what one seals another opens. Throws where this one has another than
 * those before it. Where it is alone on the database it only notes its own.
 */
export async function checkSharedSecret(sql: Sql, secret: ServerSecret, isShared: boolean): Promise<void> {
  const own = secret.mac('fingerprint').toString('hex').slice(0, 16);
  const [row] = await sql.write<{ fingerprint: string }>(
    `insert into server_secret as known (fingerprint) values ($1)
     on conflict (only_one) do update set fingerprint = case when $2 then known.fingerprint else excluded.fingerprint end
     returning fingerprint`,
    [own, isShared],
  );
  if (row!.fingerprint === own) return;
  throw new Error(
    `this server's secret (fingerprint ${own}) is not the one that the servers of this database share (${row!.fingerprint}); ` +
      `give it their file server.secret, or their SERVER_SECRET`,
  );
}
