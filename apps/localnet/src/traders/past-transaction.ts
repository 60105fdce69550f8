import { createHash } from 'node:crypto';
import { type Address, addressBytes } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { encodeBase58 } from '@hunter/solana/base58';
import type { Keypair } from '@hunter/solana/keypair';
import { BoundedCache } from '@hunter/solana/bounded-cache';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@hunter/solana/program-ids';
import type { LedgerTransaction, TokenBalance } from '../chain/chain.ts';
import type { Listing } from '../venue/listing.ts';
import type { Side } from '../venue/pool-curve.ts';
import { poolKeypair } from '../venue/pool-registry.ts';
import { rentExemptLamports } from '../venue/rent.ts';
import { compileSwap, computeUnitLimit, signedWire, SWAP_FEE_LAMPORTS } from '../venue/swap-transaction.ts';
import { type MintExtensions, mintDataLength, tokenAccountLength } from '../venue/token-account-data.ts';
import type { PastTrade, SwapBalances } from './past-trades.ts';

// Compute units as the programs themselves use them, seen on the embedded chain and held to it by a test.
const BUILTIN_UNITS = 150;
const TOKEN_TRANSFER_UNITS = 158;
const CREATE_IDEMPOTENT_UNITS = 4_338;
const CREATE_IDEMPOTENT_2022_UNITS = 4_357;
/** Each bump that the derivation of the account's address had to try costs this much again. */
const BUMP_UNITS = 1_500;

const bumps = new BoundedCache<string, number>(20_000);

export type UnsignedPast = { accountKeys: Address[]; messageBytes: Uint8Array };

/** Puts past trades into transactions and writes down what the chain would have. Nothing runs in the machine. */
export class PastWriter {
  readonly #seed: string;
  readonly #reference: Address;
  readonly #genesisUnixSeconds: number;
  readonly #lamportsOf: (address: Address) => bigint;
  readonly #pools = new Map<number, Keypair>();
  readonly #rents = new Map<Address, { mint: bigint; account: bigint }>();

  constructor(input: {
    seed: string;
    reference: Address;
    genesisUnixSeconds: number;
    /** Balances of accounts that no trade changes, programs above all. */
    lamportsOf: (address: Address) => bigint;
  }) {
    this.#seed = input.seed;
    this.#reference = input.reference;
    this.#genesisUnixSeconds = input.genesisUnixSeconds;
    this.#lamportsOf = input.lamportsOf;
  }

  /** The message that taker and pool have to sign. */
  compile({ past, wallet, amounts, slot, nonce }: PastTrade): UnsignedPast {
    const { listing } = past.token;
    return compileSwap({
      listing,
      pool: past.pool,
      reference: this.#reference,
      taker: wallet.keypair.address,
      side: amounts.side,
      lamports: amounts.lamports,
      tokens: amounts.tokens,
      blockhash: pastBlockhash(this.#seed, slot - 2),
      nonce,
    });
  }

  signers({ past, wallet }: PastTrade): { taker: Keypair; pool: Keypair } {
    return { taker: wallet.keypair, pool: this.#poolOf(past.token.listing) };
  }

  write(
    { past, wallet, amounts, seconds, slot, index, nonce, before, after }: PastTrade,
    { accountKeys, messageBytes }: UnsignedPast,
    signatures: { taker: Uint8Array; pool: Uint8Array },
  ): LedgerTransaction {
    const { listing } = past.token;
    const taker = wallet.keypair.address;
    return {
      signature: encodeBase58(signatures.taker),
      slot: BigInt(slot),
      index,
      blockTime: Math.floor(this.#genesisUnixSeconds + seconds),
      wire: signedWire(messageBytes, signatures.taker, signatures.pool),
      err: null,
      fee: SWAP_FEE_LAMPORTS,
      accountKeys,
      preBalances: this.#balances(accountKeys, listing, before),
      postBalances: this.#balances(accountKeys, listing, after),
      preTokenBalances: tokenBalances(listing, taker, past.pool, before),
      postTokenBalances: tokenBalances(listing, taker, past.pool, after),
      innerInstructions: [],
      ...swapTrace(listing, amounts.side, taker, computeUnitLimit(nonce)),
    };
  }

  /** A swap's message names taker, pool, the taker's token account and the vault first, whichever way it goes. */
  #balances(accountKeys: readonly Address[], listing: Listing, changing: SwapBalances): bigint[] {
    const rent = this.#rentOf(listing);
    const fixed = [changing.takerLamports, changing.poolLamports, rent.account, rent.account];
    return accountKeys.map((key, index) => fixed[index] ?? (key === listing.mint ? rent.mint : this.#lamportsOf(key)));
  }

  #poolOf({ index }: Listing): Keypair {
    const known = this.#pools.get(index) ?? poolKeypair(this.#seed, index);
    this.#pools.set(index, known);
    return known;
  }

  #rentOf({ mint, tokenProgram, extensions }: Listing): { mint: bigint; account: bigint } {
    const known = this.#rents.get(mint) ?? {
      mint: rentExemptLamports(mintDataLength(tokenProgram, extensions)),
      account: rentExemptLamports(tokenAccountLength(tokenProgram, extensions)),
    };
    this.#rents.set(mint, known);
    return known;
  }
}

function tokenBalances(listing: Listing, taker: Address, pool: Address, amounts: SwapBalances): TokenBalance[] {
  const { mint, tokenProgram: programId, decimals } = listing;
  return [
    { accountIndex: 2, mint, owner: taker, programId, amount: amounts.takerTokens, decimals },
    { accountIndex: 3, mint, owner: pool, programId, amount: amounts.vaultTokens, decimals },
  ];
}

/** The log and the units of a swap that found the taker's token account in place. */
function swapTrace(
  listing: Listing,
  side: Side,
  taker: Address,
  unitLimit: number,
): { logMessages: string[]; computeUnitsConsumed: bigint } {
  const { tokenProgram, extensions } = listing;
  const isToken2022 = tokenProgram !== TOKEN_PROGRAM;
  const transferUnits = isToken2022 ? token2022TransferUnits(extensions) : TOKEN_TRANSFER_UNITS;
  const logMessages: string[] = [];
  let left = unitLimit;
  const builtin = (program: Address): void => {
    logMessages.push(`Program ${program} invoke [1]`, `Program ${program} success`);
    left -= BUILTIN_UNITS;
  };
  const program = (id: Address, units: number, note: string | null): void => {
    logMessages.push(`Program ${id} invoke [1]`);
    if (note !== null) logMessages.push(`Program log: ${note}`);
    logMessages.push(`Program ${id} consumed ${units} of ${left} compute units`, `Program ${id} success`);
    left -= units;
  };
  const transfer = (): void =>
    program(tokenProgram, transferUnits, isToken2022 ? 'Instruction: TransferChecked' : null);

  builtin(COMPUTE_BUDGET_PROGRAM);
  if (side === 'buy') {
    const units = isToken2022 ? CREATE_IDEMPOTENT_2022_UNITS : CREATE_IDEMPOTENT_UNITS;
    program(ASSOCIATED_TOKEN_PROGRAM, units + bumpsTried(listing, taker) * BUMP_UNITS, 'CreateIdempotent');
    builtin(SYSTEM_PROGRAM);
    transfer();
  } else {
    transfer();
    builtin(SYSTEM_PROGRAM);
  }
  return { logMessages, computeUnitsConsumed: BigInt(unitLimit - left) };
}

/** A blockhash for a slot that nobody lived through. */
function pastBlockhash(seed: string, slot: number): Uint8Array {
  return createHash('sha256').update(`simulated-past:${seed}:${slot}`).digest();
}

function token2022TransferUnits(extensions: MintExtensions): number {
  if (extensions.transferFee !== undefined) return extensions.permanentDelegate === undefined ? 3_640 : 3_720;
  if (extensions.permanentDelegate !== undefined) return 2_887;
  return extensions.frozenByDefault === true ? 2_969 : 2_753;
}

/** How many bumps the derivation tried in vain. The address is known, so hashing alone tells. */
function bumpsTried({ mint, tokenProgram }: Listing, owner: Address): number {
  const key = `${owner}${mint}`;
  const known = bumps.get(key);
  if (known !== undefined) return known;
  const account = addressBytes(associatedTokenAddress(owner, mint, tokenProgram));
  const seeds = createHash('sha256')
    .update(addressBytes(owner))
    .update(addressBytes(tokenProgram))
    .update(addressBytes(mint));
  for (let tried = 0; tried < 256; tried += 1) {
    const hash = seeds
      .copy()
      .update(Uint8Array.of(255 - tried))
      .update(addressBytes(ASSOCIATED_TOKEN_PROGRAM));
    if (!hash.update('ProgramDerivedAddress').digest().equals(account)) continue;
    bumps.set(key, tried);
    return tried;
  }
  throw new Error(`no bump leads to the token account of ${owner}`);
}
