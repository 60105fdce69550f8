import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwnFile } from './own-file.ts';

export const venueKeyFile = (localnetFolder: string): string => join(localnetFolder, 'venue-key.pem');

/**
 * The public half, 32 bytes in base64url, of the key by which the embedded venue certifies its pools to the signer. Made
 * here before either of them starts, so that the signer need not wait for the chain to be told.
 */
export function venueKey(localnetFolder: string): string {
  const file = venueKeyFile(localnetFolder);
  if (!existsSync(file)) {
    writeOwnFile(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  return createPublicKey(createPrivateKey(readFileSync(file))).export({ format: 'jwk' }).x!;
}
