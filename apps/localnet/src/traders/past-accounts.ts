import type { Address } from '@hunter/solana/address';
import { RENT_EXEMPT_EMPTY } from '../venue/rent.ts';
import type { Reserves } from '../venue/pool-curve.ts';
import { poolKeypair } from '../venue/pool-registry.ts';
import type { SwapAmounts } from '../venue/swap-amounts.ts';
import { SWAP_FEE_LAMPORTS } from '../venue/swap-transaction.ts';
import { transferFeeOf } from '../venue/token-account-data.ts';
import {
  type AccountWrite,
  type Allocation,
  mintAccount,
  poolAccounts,
  tokenAccount,
  walletAccount,
} from './market-setup.ts';
import type { SimulatedToken } from './simulated-token.ts';

type Holding = { amount: bigint; withheld: bigint };

/** One token while its past is worked out. */
export type PastToken = {
  token: SimulatedToken;
  pool: Address;
  poolLamports: bigint;
  vault: Holding;
  holdings: Map<Address, Holding>;
};

/** The balances of everybody in the simulated past, moved by the same rules as the programs on chain move them. */
export class PastAccounts {
  readonly #seed: string;
  readonly #lamports = new Map<Address, bigint>();
  readonly tokens: PastToken[] = [];

  constructor(seed: string, wallets: Iterable<readonly [Address, bigint]>) {
    this.#seed = seed;
    for (const [owner, lamports] of wallets) this.#lamports.set(owner, lamports);
  }

  /** `traders` get an empty account each, so that no trade of the past has to create one. */
  addToken(token: SimulatedToken, allocations: readonly Allocation[], traders: readonly Address[]): PastToken {
    const holdings = new Map<Address, Holding>();
    for (const owner of traders) holdings.set(owner, { amount: 0n, withheld: 0n });
    for (const { owner, amount } of allocations) holdings.set(owner, { amount, withheld: 0n });
    const past: PastToken = {
      token,
      pool: poolKeypair(this.#seed, token.listing.index).address,
      poolLamports: token.poolLamports,
      vault: { amount: token.poolTokens, withheld: 0n },
      holdings,
    };
    this.tokens.push(past);
    return past;
  }

  lamportsOf(owner: Address): bigint {
    return this.#lamports.get(owner) ?? 0n;
  }

  tokensOf(past: PastToken, owner: Address): bigint {
    return past.holdings.get(owner)?.amount ?? 0n;
  }

  reserves(past: PastToken): Reserves {
    const { virtualLamports, virtualTokens } = past.token.listing;
    return { lamports: past.poolLamports + virtualLamports, tokens: past.vault.amount + virtualTokens };
  }

  swap(past: PastToken, taker: Address, amounts: SwapAmounts): void {
    const holding = past.holdings.get(taker);
    if (holding === undefined) throw new Error(`${taker} has no account for ${past.token.listing.mint}`);
    const fee = transferFeeOf(past.token.listing.extensions, amounts.tokens);
    const [from, to] = amounts.side === 'buy' ? [past.vault, holding] : [holding, past.vault];
    from.amount -= amounts.tokens;
    to.amount += amounts.tokens - fee;
    to.withheld += fee;
    const toPool = amounts.side === 'buy' ? amounts.lamports : -amounts.lamports;
    past.poolLamports += toPool;
    this.#lamports.set(taker, this.lamportsOf(taker) - toPool - SWAP_FEE_LAMPORTS);
  }

  /** Everything as accounts: the state that the chain must have where this past ends. */
  *writes(): Generator<AccountWrite> {
    for (const [owner, lamports] of this.#lamports) yield walletAccount(owner, lamports);
    for (const { token, pool, poolLamports, vault, holdings } of this.tokens) {
      yield mintAccount(token.listing);
      const reserves = { lamports: poolLamports, tokens: vault.amount, withheld: vault.withheld };
      yield* poolAccounts(pool, token.listing, reserves);
      for (const [owner, { amount, withheld }] of holdings) yield tokenAccount(token.listing, owner, amount, withheld);
    }
  }
}

/** What a pool's own account holds on chain: its reserve and the rent it may not touch. */
export function poolBalance(past: PastToken): bigint {
  return past.poolLamports + RENT_EXEMPT_EMPTY;
}
