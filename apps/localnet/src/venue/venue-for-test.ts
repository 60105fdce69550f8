import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Keypair } from '@hunter/solana/keypair';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { createChain } from '../chain/open-chain.ts';
import { derivedKeypair } from './derived-keypair.ts';
import type { Listing } from './listing.ts';
import { mintKeypair, poolKeypair } from './pool-registry.ts';
import type { Side } from './pool-curve.ts';
import type { ExecuteResult } from './refusal.ts';
import { RENT_EXEMPT_EMPTY, rentExemptLamports } from './rent.ts';
import { signedWire, splitSwapWire } from './swap-transaction.ts';
import { encodeMint, encodeTokenAccount, type MintExtensions } from './token-account-data.ts';
import { Venue } from './venue.ts';

// A small venue on a chain of its own, for tests: slots move only when told to.

const SEED = 'test';
export const SOL = 1_000_000_000n;

export type TestVenue = {
  chain: LedgerChain;
  venue: Venue;
  dataDir: string;
  takers: Keypair[];
  listings: Listing[];
  /** A new venue over the same chain and folder, as after a crash of the venue alone. */
  reopen(): Venue;
  close(): Promise<void>;
};

export function aListing(index: number, more: Partial<Listing> = {}): Listing {
  const tokenProgram = more.extensions === undefined ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  return {
    index,
    mint: mintKeypair(SEED, index).address,
    tokenProgram,
    name: `Token ${index}`,
    symbol: `T${index}`,
    decimals: 6,
    supply: 1_000_000_000_000_000n,
    createdAtMs: 1_700_000_000_000,
    dev: derivedKeypair(SEED, 'dev', index).address,
    mintAuthority: null,
    freezeAuthority: null,
    extensions: {},
    isVerified: false,
    tags: [],
    virtualLamports: 5n * SOL,
    virtualTokens: 50_000_000_000_000n,
    ...more,
  };
}

export async function aVenue(
  options: {
    takers?: number;
    listings?: Listing[];
    takerLamports?: bigint;
    poolLamports?: bigint;
    /** A chain to put everything on anew, for tests that run many times; without one the venue brings its own. */
    chain?: LedgerChain;
  } = {},
): Promise<TestVenue> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hunter-venue-'));
  const chain = options.chain ?? (await aChain(dataDir));
  const venue = new Venue({ chain, seed: SEED, dataDir: join(dataDir, 'venue') });
  const listings = options.listings ?? [aListing(0), aListing(1, { extensions: taxed(1) })];
  const takers = Array.from({ length: options.takers ?? 4 }, (_, index) => derivedKeypair(SEED, 'taker', index));
  const poolLamports = options.poolLamports ?? 100n * SOL;
  const writes = takers.map(({ address }) => nativeAccount(address, options.takerLamports ?? 50n * SOL));
  for (const listing of listings) {
    const pool = poolKeypair(SEED, listing.index).address;
    // Half of the supply in the pool, the other half shared by the takers.
    const share = listing.supply / 2n / BigInt(Math.max(1, takers.length));
    const rest = listing.supply - share * BigInt(takers.length);
    writes.push(
      nativeAccount(pool, poolLamports + RENT_EXEMPT_EMPTY),
      mintWrite(listing),
      tokenWrite(listing, pool, rest),
    );
    for (const { address } of takers) writes.push(tokenWrite(listing, address, share));
  }
  await chain.setAccounts(writes);
  venue.list(listings);
  return {
    chain,
    venue,
    dataDir,
    takers,
    listings,
    reopen: () => new Venue({ chain, seed: SEED, dataDir: join(dataDir, 'venue') }),
    async close() {
      venue.close();
      if (options.chain === undefined) await chain.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export function aChain(dataDir: string): Promise<LedgerChain> {
  return createChain({ dataDir: join(dataDir, 'ledger'), manualSlots: true });
}

export function taxed(index: number): MintExtensions {
  const authority = derivedKeypair(SEED, 'dev', index).address;
  return { transferFee: { basisPoints: 300, maximum: 1_000_000_000_000_000n, authority } };
}

/** Signs as the taker and leaves the pool's place empty, as a wallet would. */
export function signAsTaker(transaction: unknown, taker: Keypair): Uint8Array {
  const parts = splitSwapWire(Buffer.from(String(transaction), 'base64'));
  if (parts === null) throw new Error('not a swap');
  return signedWire(parts.messageBytes, taker.sign(parts.messageBytes), new Uint8Array(64));
}

export async function swap(
  { venue }: Pick<TestVenue, 'venue'>,
  request: { taker: Keypair; mint: Address; side: Side; amount: bigint; slippageBps?: bigint },
): Promise<ExecuteResult> {
  const order = venue.swaps.order(orderRequest(request));
  return venue.swaps.execute(String(order['requestId']), signAsTaker(order['transaction'], request.taker));
}

export function orderRequest(request: {
  taker: Keypair | null;
  mint: Address;
  side: Side;
  amount: bigint;
  slippageBps?: bigint;
}): Parameters<Venue['swaps']['order']>[0] {
  const [inputMint, outputMint] =
    request.side === 'buy' ? [WRAPPED_SOL_MINT, request.mint] : [request.mint, WRAPPED_SOL_MINT];
  const taker = request.taker?.address ?? null;
  return { inputMint, outputMint, amount: request.amount, taker, slippageBps: request.slippageBps ?? null };
}

type Write = Parameters<LedgerChain['setAccounts']>[0][number];

export function nativeAccount(address: Address, lamports: bigint): Write {
  return { address, account: { lamports, data: new Uint8Array(), owner: SYSTEM_PROGRAM, executable: false } };
}

function mintWrite(listing: Listing): Write {
  const data = encodeMint(listing.tokenProgram, listing);
  const lamports = rentExemptLamports(data.length);
  return { address: listing.mint, account: { lamports, data, owner: listing.tokenProgram, executable: false } };
}

export function tokenWrite(listing: Listing, owner: Address, amount: bigint, frozen = false): Write {
  const { mint, tokenProgram, extensions } = listing;
  const data = encodeTokenAccount(tokenProgram, extensions, { mint, owner, amount, frozen });
  return {
    address: associatedTokenAddress(owner, mint, tokenProgram),
    account: { lamports: rentExemptLamports(data.length), data, owner: tokenProgram, executable: false },
  };
}
