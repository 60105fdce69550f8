import { type AccountKey, accountKeyFromBase58, TOKEN, TOKEN_2022 } from './account-key.ts';
import { deny } from './denial.ts';

/** What the caller says the transaction is for. The bytes are held against it; what it does not cover is denied. */
export type SigningPolicy =
  | {
      kind: 'swap';
      mint: AccountKey;
      tokenProgram: AccountKey;
      side: 'buy' | 'sell';
      /** Everything that may leave the wallet in lamports: transfers, network fee and rent of the own token account. */
      maxLamportsOut: bigint;
      maxTokensOut: bigint;
      minLamportsIn: bigint;
      minTokensIn: bigint;
      /** The venue's signature over the other signer and the mint, base64. */
      poolCertificate: string;
    }
  | { kind: 'close-token-account'; mint: AccountKey; tokenProgram: AccountKey }
  | {
      kind: 'withdrawal';
      withdrawalId: string;
      destination: AccountKey;
      destinationText: string;
      lamports: bigint;
      password: string | null;
    };

export function readSigningPolicy(value: unknown): SigningPolicy {
  if (typeof value !== 'object' || value === null) deny('POLICY_INVALID', 'no policy given');
  const policy = value as Record<string, unknown>;
  switch (policy.kind) {
    case 'swap':
      if (policy.side !== 'buy' && policy.side !== 'sell') deny('POLICY_INVALID', 'side');
      return {
        kind: 'swap',
        mint: key(policy.mint, 'mint'),
        tokenProgram: tokenProgram(policy.tokenProgram),
        side: policy.side,
        maxLamportsOut: amount(policy.maxLamportsOut, 'maxLamportsOut'),
        maxTokensOut: amount(policy.maxTokensOut, 'maxTokensOut'),
        minLamportsIn: policy.minLamportsIn === undefined ? 0n : amount(policy.minLamportsIn, 'minLamportsIn'),
        minTokensIn: policy.minTokensIn === undefined ? 0n : amount(policy.minTokensIn, 'minTokensIn'),
        poolCertificate: certificate(policy.poolCertificate),
      };
    case 'close-token-account':
      return {
        kind: 'close-token-account',
        mint: key(policy.mint, 'mint'),
        tokenProgram: tokenProgram(policy.tokenProgram),
      };
    case 'withdrawal': {
      const { withdrawalId, password } = policy;
      if (typeof withdrawalId !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(withdrawalId)) {
        deny('POLICY_INVALID', 'withdrawalId');
      }
      if (password !== undefined && typeof password !== 'string') deny('POLICY_INVALID', 'password');
      const lamports = amount(policy.lamports, 'lamports');
      if (lamports === 0n) deny('POLICY_INVALID', 'a withdrawal of nothing');
      return {
        kind: 'withdrawal',
        withdrawalId,
        destination: key(policy.destination, 'destination'),
        destinationText: String(policy.destination),
        lamports,
        password: password ?? null,
      };
    }
    default:
      return deny('POLICY_INVALID', 'unknown kind of policy');
  }
}

function key(value: unknown, name: string): AccountKey {
  const found = typeof value === 'string' ? accountKeyFromBase58(value) : null;
  return found ?? deny('POLICY_INVALID', `${name} is no address`);
}

function tokenProgram(value: unknown): AccountKey {
  const program = key(value, 'tokenProgram');
  if (program !== TOKEN && program !== TOKEN_2022) deny('POLICY_INVALID', 'tokenProgram');
  return program;
}

function amount(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) deny('POLICY_INVALID', `${name} is no amount`);
  return BigInt(value);
}

function certificate(value: unknown): string {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]{86}==$/.test(value)) deny('COUNTERPARTY', 'poolCertificate');
  return value;
}
