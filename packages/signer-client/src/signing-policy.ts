import type { Address } from '@hunter/solana/address';
import type { SecondFactor } from './factor-client.ts';
import type { SignerDenial } from './signer-error.ts';

/** Where a wallet belongs; both ids are bound into its sealed key. Letters, digits, `_` and `-`, at most 64. */
export type WalletOwner = { userId: string; walletId: string };

/** What a transaction is for. The signer reads the bytes itself and refuses whatever the policy does not cover. */
export type SigningPolicy =
  | {
      kind: 'swap';
      mint: Address;
      tokenProgram: Address;
      side: 'buy' | 'sell';
      /** Transfers + network fee + rent of the own token account. */
      maxLamportsOut: bigint;
      /** 0n for buys. */
      maxTokensOut: bigint;
      minLamportsIn?: bigint;
      minTokensIn?: bigint;
      /** The venue's signature over the pool, which is the other signer, and the mint; base64. */
      poolCertificate: string | null;
    }
  | { kind: 'close-token-account'; mint: Address; tokenProgram: Address }
  | {
      kind: 'withdrawal';
      withdrawalId: string;
      destination: Address;
      /** SOL, or else `token`. */
      lamports?: bigint;
      token?: { mint: Address; tokenProgram: Address; amount: bigint };
      /** Needed the first time; a held or expired withdrawal may be signed again without it for three days. */
      password?: string;
      /** Needed with the password where the owner has enrolled one. */
      factor?: SecondFactor;
    }
  /** From a personal wallet to a strategy wallet. */
  | { kind: 'commit'; strategyWallet: Address; lamports: bigint }
  /** From a strategy wallet to personal wallets that committed to it; as many legs as fit into the transaction. */
  | {
      kind: 'return';
      legs: readonly { to: Address; lamports: bigint }[];
      tokens?: readonly { to: Address; mint: Address; tokenProgram: Address; amount: bigint }[];
    };

export type WithdrawalPolicy = SigningPolicy & { kind: 'withdrawal' };
export type SignRequest = WalletOwner & { sealedKey: string; transaction: string; policy: SigningPolicy };
export type SignOutcome = { signedTransaction: string; signature: string } | { denied: SignerDenial };

export function withdrawalOnTheWire({ lamports, token, ...policy }: WithdrawalPolicy): object {
  return token === undefined
    ? { ...policy, lamports: String(lamports) }
    : { ...policy, token: { ...token, amount: String(token.amount) } };
}

/** Amounts travel as decimal text. Written out because a replacer would visit every value of every sealed key. */
export function onTheWire(request: SignRequest): object {
  const { policy } = request;
  switch (policy.kind) {
    case 'swap':
      return {
        ...request,
        policy: {
          ...policy,
          maxLamportsOut: String(policy.maxLamportsOut),
          maxTokensOut: String(policy.maxTokensOut),
          minLamportsIn: policy.minLamportsIn === undefined ? undefined : String(policy.minLamportsIn),
          minTokensIn: policy.minTokensIn === undefined ? undefined : String(policy.minTokensIn),
        },
      };
    case 'withdrawal':
      return { ...request, policy: withdrawalOnTheWire(policy) };
    case 'commit':
      return { ...request, policy: { ...policy, lamports: String(policy.lamports) } };
    case 'return':
      return {
        ...request,
        policy: {
          ...policy,
          legs: policy.legs.map((leg) => ({ ...leg, lamports: String(leg.lamports) })),
          tokens: policy.tokens?.map((leg) => ({ ...leg, amount: String(leg.amount) })),
        },
      };
    case 'close-token-account':
    default:
      // Without an amount, or of no known kind, which the signer denies for itself.
      return request;
  }
}
