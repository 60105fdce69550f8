/**
 * A passkey as the signer verifies it, without the socket: client data, flags, count, challenge and signature, against bare
 * `crypto.verify` of the same bytes with the key at hand. The bar is 3 times.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { Authenticator } from '../../apps/signer/src/fixtures/an-authenticator.ts';
import { type Intent, intentChallenge } from '../../apps/signer/src/factors/intent.ts';
import { acceptAssertion, readNewPasskey } from '../../apps/signer/src/factors/passkey.ts';
import type { Figures } from '../../scripts/run-named.ts';

const RATIO_MAX = 3;
const ASSERTIONS = 300;
const party = { rpId: 'localhost', origins: ['http://localhost:3000'] };
const address = 'So11111111111111111111111111111111111111112';

export default function measurePasskey([rounds = '9']: readonly string[]): Figures {
  const device = new Authenticator('ES256');
  const created = device.create(address, 'bench');
  const intent: Intent = { kind: 'register-passkey', asset: '-', destination: address, amount: '0', id: 'bench' };
  const passkey = readNewPasskey(created, intentChallenge(intent), party);
  if (passkey === null) throw new Error('the passkey was not accepted');
  const key = createPublicKey({ key: Buffer.from(passkey.publicKey, 'base64'), format: 'der', type: 'spki' });
  const signed = Array.from({ length: ASSERTIONS }, (_, index) => {
    const wanted: Intent = {
      kind: 'withdrawal',
      asset: 'SOL',
      destination: address,
      amount: '1000',
      id: String(index),
    };
    const assertion = device.sign(wanted);
    const clientData = Buffer.from(assertion.clientDataJson, 'base64url');
    const data = Buffer.from(assertion.authenticatorData, 'base64url');
    const bytes = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return { wanted, assertion, bytes, signature: Buffer.from(assertion.signature, 'base64url') };
  });
  const bare: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    bare.push(
      perAssertion(() => {
        for (const { bytes, signature } of signed)
          if (!verify('sha256', bytes, key, signature)) throw new Error('bare');
      }),
    );
    whole.push(
      perAssertion(() => {
        for (const { wanted, assertion } of signed) {
          if (acceptAssertion(passkey, assertion, intentChallenge(wanted), party) === null) throw new Error('refused');
        }
      }),
    );
  }
  const ratio = median(whole) / median(bare);
  return {
    bareMicroseconds: Math.round(median(bare)),
    signerMicroseconds: Math.round(median(whole)),
    ratio: Number(ratio.toFixed(2)),
    ok: ratio <= RATIO_MAX,
  };
}

function perAssertion(run: () => void): number {
  const startedAt = performance.now();
  run();
  return ((performance.now() - startedAt) * 1_000) / ASSERTIONS;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
