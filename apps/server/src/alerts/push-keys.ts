import { createECDH } from 'node:crypto';
import type { ServerSecret } from '../platform/server-secret.ts';

export type PushKeys = { readonly publicKey: string; readonly privateKey: string };

/**
 * The key pair by which push services know this installation. It comes from the server's secret, so that it is made at the
 * first start, is the same in every process, and is kept and backed up with that one file.
 */
export function pushKeys(secret: ServerSecret): PushKeys {
  const pair = createECDH('prime256v1');
  for (let attempt = 0; ; attempt += 1) {
    const candidate = secret.mac('vapid', String(attempt));
    try {
      pair.setPrivateKey(candidate);
    } catch {
      // One candidate in 2^32 is no key of the curve.
      continue;
    }
    return { publicKey: pair.getPublicKey('base64url'), privateKey: candidate.toString('base64url') };
  }
}
