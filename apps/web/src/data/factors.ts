import type { CallReply } from '@hunter/contract/calls';

export type MyFactors = CallReply<'getMyFactors'>;

export function hasFactor({ passkeys, totp }: MyFactors): boolean {
  return passkeys.length > 0 || totp !== null;
}

/** What the prompt for a second factor needs to know of them. */
export function promptFactors({ rpId, passkeys, totp }: MyFactors): {
  rpId: string;
  credentialIds: string[];
  factors: ('totp' | 'passkey')[];
} {
  return {
    rpId,
    credentialIds: passkeys.map(({ id }) => id),
    factors: [...(passkeys.length > 0 ? (['passkey'] as const) : []), ...(totp ? (['totp'] as const) : [])],
  };
}
