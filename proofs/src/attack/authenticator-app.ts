import { STEP_MS, totpCode } from '../../../apps/signer/src/factors/totp.ts';
import { insist, type ProductUser } from '../../../scripts/product-client.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What a user's authenticator app and drawer hold afterwards; the code that enrolled it is spent. */
export type EnrolledApp = { secret: string; key: Buffer; recoveryCodes: string[] };

export async function enrolApp(
  web: string,
  { token, password }: Pick<ProductUser, 'token' | 'password'>,
): Promise<EnrolledApp> {
  const { id, secret } = (await insist(web, 'startTotp', { password }, { token })) as { id: string; secret: string };
  const bits = Array.from(secret, (letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const code = totpCode(key, Math.floor(Date.now() / STEP_MS));
  const reply = await insist(web, 'confirmTotp', { password, id, code, name: 'phone' }, { token });
  return { secret, key, recoveryCodes: reply['recoveryCodes'] as string[] };
}
