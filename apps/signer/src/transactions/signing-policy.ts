import { type AccountKey, accountKeyFromBase58, TOKEN, TOKEN_2022, WRAPPED_SOL } from '../account-key.ts';
import { deny } from '../denial.ts';
import { readSecondFactor, type SecondFactor } from '../factors/second-factor.ts';

/** More than fit into a transaction. */
const LEGS_MAX = 64;

export type CommitPolicy = { kind: 'commit'; strategyWallet: AccountKey; strategyWalletText: string; lamports: bigint };

/** SOL and tokens from a strategy wallet to those who committed to it; no receiver twice, no receiver and mint twice. */
export type ReturnPolicy = {
  kind: 'return';
  legs: readonly { to: AccountKey; toText: string; lamports: bigint }[];
  tokens: readonly {
    to: AccountKey;
    toText: string;
    mint: AccountKey;
    mintText: string;
    tokenProgram: AccountKey;
    amount: bigint;
  }[];
};

export type WithdrawnToken = { mint: AccountKey; mintText: string; tokenProgram: AccountKey; amount: bigint };

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
      /** Zero where tokens are withdrawn. */
      lamports: bigint;
      token: WithdrawnToken | null;
      password: string | null;
      factor: SecondFactor | null;
    }
  | CommitPolicy
  | ReturnPolicy;

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
      const token = policy.token === undefined ? null : readWithdrawnToken(policy.token);
      if (token !== null && policy.lamports !== undefined) deny('POLICY_INVALID', 'a withdrawal is SOL or one token');
      return {
        kind: 'withdrawal',
        withdrawalId,
        destination: key(policy.destination, 'destination'),
        destinationText: String(policy.destination),
        lamports: token === null ? positive(policy.lamports, 'lamports') : 0n,
        token,
        password: password ?? null,
        factor: readSecondFactor(policy.factor),
      };
    }
    case 'commit':
      return {
        kind: 'commit',
        strategyWallet: key(policy.strategyWallet, 'strategyWallet'),
        strategyWalletText: String(policy.strategyWallet),
        lamports: positive(policy.lamports, 'lamports'),
      };
    case 'return':
      return readReturn(policy);
    default:
      return deny('POLICY_INVALID', 'unknown kind of policy');
  }
}

function readReturn(policy: Record<string, unknown>): ReturnPolicy {
  const legs = rows(policy.legs, 'legs').map((leg) => ({
    to: key(leg.to, 'to'),
    toText: String(leg.to),
    lamports: positive(leg.lamports, 'lamports'),
  }));
  const tokens = rows(policy.tokens ?? [], 'tokens').map((leg) => ({
    to: key(leg.to, 'to'),
    toText: String(leg.to),
    mint: key(leg.mint, 'mint'),
    mintText: String(leg.mint),
    tokenProgram: tokenProgram(leg.tokenProgram),
    amount: positive(leg.amount, 'amount'),
  }));
  if (legs.length + tokens.length === 0) deny('POLICY_INVALID', 'a return of nothing');
  const distinct = new Set([...legs.map(({ to }) => to), ...tokens.map(({ to, mint }) => to + mint)]);
  if (distinct.size < legs.length + tokens.length) deny('POLICY_INVALID', 'the same receiver twice');
  return { kind: 'return', legs, tokens };
}

function readWithdrawnToken(value: unknown): WithdrawnToken {
  if (typeof value !== 'object' || value === null) deny('POLICY_INVALID', 'token');
  const token = value as Record<string, unknown>;
  const mint = key(token.mint, 'mint');
  // Wrapped SOL would leave outside the limits that count SOL.
  if (mint === WRAPPED_SOL) deny('MINT', 'wrapped SOL is withdrawn as SOL');
  return {
    mint,
    mintText: String(token.mint),
    tokenProgram: tokenProgram(token.tokenProgram),
    amount: positive(token.amount, 'amount'),
  };
}

function rows(value: unknown, name: string): Record<string, unknown>[] {
  if (!Array.isArray(value) || value.length > LEGS_MAX) deny('POLICY_INVALID', `${name} is no list`);
  return (value as unknown[]).map((row) => {
    if (typeof row !== 'object' || row === null) deny('POLICY_INVALID', `${name} has no objects`);
    return row as Record<string, unknown>;
  });
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

function positive(value: unknown, name: string): bigint {
  const found = amount(value, name);
  if (found === 0n) deny('POLICY_INVALID', `${name} is zero`);
  return found;
}

function certificate(value: unknown): string {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]{86}==$/.test(value)) deny('COUNTERPARTY', 'poolCertificate');
  return value;
}
