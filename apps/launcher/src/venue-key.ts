import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The public half, 32 bytes in base64url, of the key by which the embedded venue certifies its pools to the signer. Made
 * here before either of them starts, so that the signer need not wait for the chain to be told.
 */
export function venueKey(localnetFolder: string): string {
  const file = join(localnetFolder, 'venue-key.pem');
  if (!existsSync(file)) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(file, pem, { mode: 0o600, flush: true });
  }
  return createPublicKey(createPrivateKey(readFileSync(file))).export({ format: 'jwk' }).x!;
}
