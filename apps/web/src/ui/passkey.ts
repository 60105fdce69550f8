import type { CallRequest } from '@hunter/contract/calls';
import { toBase64url } from './base64url.ts';

// What the owner agrees to is hashed here and again in the signer; the server has no say in it.

export type Intent = {
  kind:
    | 'withdrawal'
    | 'export'
    | 'login'
    | 'register-passkey'
    | 'enrol'
    | 'remove'
    | 'codes'
    | 'login-rule'
    | 'api-key'
    | 'unfreeze';
  /** `SOL` or a mint; `-` where nothing moves. */
  asset: string;
  destination: string;
  /** Base units, decimal. */
  amount: string;
  id: string;
};

export type SecondFactor = NonNullable<CallRequest<'removeFactor'>['factor']>;

/** About the wallet itself: nothing leaves it. */
export function ownIntent(kind: Intent['kind'], address: string, id: string, asset = '-'): Intent {
  return { kind, asset, destination: address, amount: '0', id };
}

export async function intentChallenge({ kind, asset, destination, amount, id }: Intent): Promise<string> {
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

export type CreatedPasskey = { credentialId: string; clientDataJson: string; authenticatorData: string };

const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;

export async function createPasskey(
  intent: Intent,
  { rpId, email, existing }: { rpId: string; email: string; existing: readonly string[] },
): Promise<CreatedPasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { id, response } = await startRegistration({
    optionsJSON: {
      challenge: await intentChallenge(intent),
      rp: { id: rpId, name: 'Hunter' },
      // The wallet's address is public; it tells the accounts of one person apart.
      user: { id: toBase64url(new TextEncoder().encode(intent.destination)), name: email, displayName: email },
      pubKeyCredParams: [ES256, EDDSA, RS256].map((alg) => ({ alg, type: 'public-key' })),
      excludeCredentials: existing.map((credentialId) => ({ id: credentialId, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    },
  });
  if (response.authenticatorData === undefined) throw new Error('this browser is too old for passkeys');
  return { credentialId: id, clientDataJson: response.clientDataJSON, authenticatorData: response.authenticatorData };
}
