import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import type { Chain } from '../chain/chain.ts';
import { graduated, isOnCurve, type LaunchCurve, type Listing } from '../venue/listing.ts';
import type { Pool } from '../venue/pool.ts';
import { graduatedPoolKeypair } from '../venue/pool-registry.ts';
import { RENT_EXEMPT_EMPTY } from '../venue/rent.ts';
import type { Venue } from '../venue/venue.ts';

type OnCurve = Listing & { curve: LaunchCurve };

/**
 * Moves the curves that have collected their SOL into pools. One transaction moves everything a curve holds, and only while the
 * curve has promised nothing: a swap that is signed against it either lands before or is refused after it.
 */
export async function graduateDue(chain: Chain, venue: Venue, launchpad: Keypair): Promise<void> {
  for (const pool of venue.pools.all()) {
    const { listing } = pool;
    if (!isOnCurve(listing) || pool.holds().lamports < listing.curve.targetLamports) continue;
    await pool.inTurn(() => graduate(chain, venue, launchpad, pool, listing));
  }
}

/** A graduation that landed right before a crash is on chain but not on the list; then it only needs to be listed. */
export function finishGraduations(chain: Chain, venue: Venue): void {
  for (const pool of venue.pools.all()) {
    const { listing } = pool;
    if (!isOnCurve(listing) || pool.holds().tokens > 0n) continue;
    const target = graduatedPoolKeypair(venue.seed, listing.index).address;
    if (chain.account(associatedTokenAddress(target, listing.mint, listing.tokenProgram)) === null) continue;
    venue.graduate(graduated(listing, chain.unixTimestamp() * 1000));
  }
}

async function graduate(chain: Chain, venue: Venue, launchpad: Keypair, pool: Pool, listing: OnCurve): Promise<void> {
  pool.forgetReserves();
  const { lamports, tokens } = pool.holds();
  if (pool.isPromised() || lamports < listing.curve.targetLamports) return;
  const { mint, tokenProgram, decimals } = listing;
  const owner = graduatedPoolKeypair(venue.seed, listing.index).address;
  const payer = launchpad.address;
  const message = compileMessage({
    version: 0,
    feePayer: payer,
    recentBlockhash: chain.latestBlockhash().blockhash,
    instructions: [
      createAssociatedTokenAccountIdempotent({ payer, owner, mint, tokenProgram }),
      transferSol({ from: payer, to: owner, lamports: RENT_EXEMPT_EMPTY }),
      transferSol({ from: pool.keypair.address, to: owner, lamports }),
      transferChecked({
        source: pool.vault,
        mint,
        destination: associatedTokenAddress(owner, mint, tokenProgram),
        owner: pool.keypair.address,
        amount: tokens,
        decimals,
        tokenProgram,
        // Whoever follows the venue's trades hears of it.
        references: [venue.address],
      }),
    ],
  });
  const wire = encodeTransaction(signTransaction(transactionFromMessage(message), [launchpad, pool.keypair]));
  const outcome = await chain.submit(wire);
  if (outcome.kind !== 'accepted' || outcome.transaction.err !== null) {
    throw new Error(
      `the graduation of ${listing.symbol} failed: ${outcome.kind === 'refused' ? outcome.message : outcome.kind}`,
    );
  }
  venue.graduate(graduated(listing, outcome.transaction.blockTime * 1000));
}
