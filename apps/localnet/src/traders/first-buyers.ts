import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import type { Chain } from '../chain/chain.ts';
import type { Listing } from '../venue/listing.ts';
import { Refusal } from '../venue/refusal.ts';
import { tokenAmountOf } from '../venue/token-account-data.ts';
import type { Venue } from '../venue/venue.ts';
import { planOf } from './market-tokens.ts';
import { placeSwap } from './place-swap.ts';
import { circleOf, type SimulatedWallet } from './population.ts';
import { rugSteps } from './price-plan.ts';
import { devKeypair } from './simulated-token.ts';

const LAMPORTS_PER_SOL = 1e9;
const BUNDLED_LAUNCHES = 0.35;
const GIVING_LAUNCHES = 0.35;
/** After the launch slot, and well within the seconds that count as sniping. */
const SNIPERS_AFTER_MS = 900;

type Launch = { chain: Chain; venue: Venue; population: readonly SimulatedWallet[]; listing: Listing };

/**
 * What happens in the first seconds of a launch: its developer buys, in some launches several wallets with him in the same slot,
 * then come the bots; some developers hand tokens to wallets that never bought any.
 */
export async function firstBuyers(launch: Launch): Promise<void> {
  const { venue, population, listing } = launch;
  const random = new SeededRandom(`${venue.seed}:first buyers:${listing.index}`);
  const dev = { keypair: devKeypair(venue.seed, listing.index) };
  const circle = random.shuffled(circleOf(venue.seed, population, listing).filter(({ skill }) => skill !== 'smart'));
  const bundled = random.chance(BUNDLED_LAUNCHES) ? 4 + random.whole(4) : random.whole(3);
  const snipers = random.whole(5);
  // Who means to leave takes a large part first: it is on the token's page from the first minute.
  const willLeave = rugSteps(planOf(venue.seed, listing, listing.createdAtMs / 1000)) !== null;
  await buy(launch, dev, willLeave ? random.between(2.8, 3.7) : random.between(0.3, 2.5));
  for (const wallet of circle.slice(0, bundled)) await buy(launch, wallet, random.between(0.2, 0.9));
  if (random.chance(GIVING_LAUNCHES))
    await give(launch, dev.keypair, circle.slice(-1 - random.whole(2)), random.between(0.2, 0.6));
  if (snipers === 0) return;
  await delay(SNIPERS_AFTER_MS);
  for (const wallet of circle.slice(bundled, bundled + snipers)) await buy(launch, wallet, random.between(0.1, 1.2));
}

async function buy({ venue, listing }: Launch, wallet: { keypair: Keypair }, sol: number): Promise<void> {
  const amount = BigInt(Math.round(sol * LAMPORTS_PER_SOL));
  try {
    await placeSwap(venue, listing.mint, { wallet, side: 'buy', amount });
  } catch (error) {
    // Too poor or too late: the others go on.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** A part of what the developer holds, in equal shares. */
async function give(
  { chain, listing }: Launch,
  dev: Keypair,
  wallets: readonly SimulatedWallet[],
  part: number,
): Promise<void> {
  const { mint, tokenProgram, decimals } = listing;
  const source = associatedTokenAddress(dev.address, mint, tokenProgram);
  const account = chain.account(source);
  const held = account === null ? 0n : tokenAmountOf(account.data);
  const amount = (held * BigInt(Math.round(part * 1_000))) / 1_000n / BigInt(wallets.length);
  if (amount === 0n) return;
  const message = compileMessage({
    version: 0,
    feePayer: dev.address,
    recentBlockhash: chain.latestBlockhash().blockhash,
    instructions: wallets.flatMap(({ keypair: { address: owner } }) => [
      createAssociatedTokenAccountIdempotent({ payer: dev.address, owner, mint, tokenProgram }),
      transferChecked({
        source,
        mint,
        destination: associatedTokenAddress(owner, mint, tokenProgram),
        owner: dev.address,
        amount,
        decimals,
        tokenProgram,
      }),
    ]),
  });
  await chain.submit(encodeTransaction(signTransaction(transactionFromMessage(message), [dev])));
}
