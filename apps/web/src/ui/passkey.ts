import type { CallRequest } from '@hunter/contract/calls';
import { toBase64url } from './base64url.ts';

// What the owner agrees to is hashed here and again in the signer; the server has no say in it.

export type Intent = {
  kind: 'withdrawal' | 'export' | 'login' | 'register-passkey' | 'enrol' | 'remove' | 'codes' | 'login-rule';
  /** `SOL` or a mint; `-` where nothing moves. */
  asset: string;
  destination: string;
  /** Base units, decimal. */
  amount: string;
  id: string;
};

export type SecondFactor = NonNullable<CallRequest<'removeFactor'>['factor']>;

async function intentChallenge({ kind, asset, destination, amount, id }: Intent): Promise<string> {
  const text = ['hunter-intent-1', kind, asset, destination, amount, id].join('\n');
  return toBase64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/** Browsers offer passkeys on https and localhost only, and ours belong to one domain. */
export function canUsePasskeys(rpId: string): boolean {
  const isHere = location.hostname === rpId || location.hostname.endsWith(`.${rpId}`);
  return isHere && 'PublicKeyCredential' in globalThis;
}

/** Rejects when the user closes the browser's prompt. */
export async function signIntent(
  intent: Intent,
  { rpId, credentialIds }: { rpId: string; credentialIds: readonly string[] },
): Promise<SecondFactor> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { id, response } = await startAuthentication({
    optionsJSON: {
      challenge: await intentChallenge(intent),
      rpId,
      allowCredentials: credentialIds.map((credentialId) => ({ id: credentialId, type: 'public-key' })),
      userVerification: 'required',
    },
  });
  return {
    kind: 'passkey',
    credentialId: id,
    clientDataJson: response.clientDataJSON,
    authenticatorData: response.authenticatorData,
    signature: response.signature,
  };
}
