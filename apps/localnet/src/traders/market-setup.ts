import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import type { Account } from '../chain/chain.ts';
import type { Listing } from '../venue/listing.ts';
import { RENT_EXEMPT_EMPTY, rentExemptLamports } from '../venue/rent.ts';
import { encodeMint, encodeTokenAccount } from '../venue/token-account-data.ts';
import { circleOf, type SimulatedWallet } from './population.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';
import type { SimulatedToken } from './simulated-token.ts';

export type AccountWrite = { address: Address; account: Account };

/** The part of the supply outside the pool goes to these at the start; developers keep some themselves. */
export type Allocation = { owner: Address; amount: bigint };

/** Falling shares for the circle's crowd and whales; the skilled start with nothing, so that what they own they earned. */
export function allocate(seed: string, token: SimulatedToken, population: readonly SimulatedWallet[]): Allocation[] {
  const { listing } = token;
  const random = new SeededRandom(`${seed}:allocation:${listing.index}`);
  const rest = listing.supply - token.poolTokens;
  const devShare = BigInt(Math.floor(rest === 0n ? 0 : random.between(5, listing.isVerified ? 30 : 140)));
  const dev = (rest * devShare) / 1000n;
  const traders = circleOf(seed, population, listing).filter(({ skill }) => skill === 'whale' || skill === 'crowd');
  const others = random.shuffled(population.filter(({ skill }) => skill === 'crowd')).slice(0, 30 + random.whole(60));
  const owners = [...new Set([...traders, ...others])];
  const weights = owners.map(() => Math.ceil(1_000 * Math.exp(random.normal() * 1.1)));
  const total = BigInt(weights.reduce((sum, weight) => sum + weight, 0));
  const allocations = owners.map((wallet, index) => ({
    owner: wallet.keypair.address,
    amount: ((rest - dev) * BigInt(weights[index]!)) / total,
  }));
  const given = allocations.reduce((sum, { amount }) => sum + amount, 0n);
  // What the divisions left over goes to the developer: the accounts must add up to the supply exactly.
  return [...allocations, { owner: listing.dev, amount: rest - given }];
}

export function mintAccount(listing: Listing): AccountWrite {
  const { supply, decimals, mintAuthority, freezeAuthority, extensions, tokenProgram } = listing;
  const data = encodeMint(tokenProgram, { supply, decimals, mintAuthority, freezeAuthority, extensions });
  const lamports = rentExemptLamports(data.length);
  return { address: listing.mint, account: { lamports, data, owner: tokenProgram, executable: false } };
}

export function walletAccount(address: Address, lamports: bigint): AccountWrite {
  return { address, account: { lamports, data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false } };
}

/** Accounts written here are never frozen: they belong to those whom the issuer let in. */
export function tokenAccount(listing: Listing, owner: Address, amount: bigint, withheld = 0n): AccountWrite {
  const { mint, tokenProgram, extensions } = listing;
  const data = encodeTokenAccount(tokenProgram, extensions, { mint, owner, amount, frozen: false, withheld });
  const lamports = rentExemptLamports(data.length);
  return {
    address: associatedTokenAddress(owner, mint, tokenProgram),
    account: { lamports, data, owner: tokenProgram, executable: false },
  };
}

export function poolAccounts(
  pool: Address,
  listing: Listing,
  reserves: { lamports: bigint; tokens: bigint; withheld?: bigint },
): AccountWrite[] {
  return [
    walletAccount(pool, reserves.lamports + RENT_EXEMPT_EMPTY),
    tokenAccount(listing, pool, reserves.tokens, reserves.withheld ?? 0n),
  ];
}
