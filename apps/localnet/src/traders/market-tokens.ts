import type { Listing } from '../venue/listing.ts';
import { type Character, planFor, type PricePlan } from './price-plan.ts';
import { createToken, type SimulatedToken } from './simulated-token.ts';
import { type CatalogueEntry, GENESIS_TOKENS, launchName } from './token-catalogue.ts';

/** How long before the first start the genesis tokens began: a little more than the week that everybody can look back. */
export const PAST_SECONDS = 7 * 86_400 + 4 * 3600;
const SOL = 1_000_000_000n;
/**
 * Launches begin as those of pump.fun do: the whole supply on a curve of 30 SOL and 1,073 million tokens, of which 73 million and
 * all SOL are virtual. With 85 SOL in it the price has risen 14.7 times, and is the same in the pool that it becomes.
 */
const CURVE = { virtualLamports: 30n * SOL, virtualTokens: 73_000_000n * 1_000_000n, targetLamports: 85n * SOL };
const CURVE_CAP_SOL = 28;

const RUNNERS: ReadonlySet<Character> = new Set(['climber', 'golden', 'pump', 'sideways']);
const runners = GENESIS_TOKENS.flatMap((entry, index) =>
  RUNNERS.has(entry.character) && entry.hostile === undefined ? [index] : [],
);

export function genesisTokens(seed: string, genesisUnixSeconds: number): SimulatedToken[] {
  const createdAtMs = (genesisUnixSeconds - PAST_SECONDS) * 1000;
  return GENESIS_TOKENS.map((entry, index) => createToken(seed, index, entry, createdAtMs));
}

export function launchToken(seed: string, launch: number, createdAtMs: number): SimulatedToken {
  const entry: CatalogueEntry = { ...launchName(launch), character: 'launch' };
  const start = { capSol: CURVE_CAP_SOL, depthSol: 1, virtualDivisor: 1n };
  const { listing } = createToken(seed, GENESIS_TOKENS.length + launch, entry, createdAtMs, start);
  const { virtualLamports, virtualTokens } = CURVE;
  return {
    listing: { ...listing, virtualLamports, virtualTokens, curve: { ...CURVE, graduatedAtMs: null } },
    poolLamports: 0n,
    poolTokens: listing.supply,
  };
}

/** The plan belongs to the token's place in the catalogue, so it needs no storage. */
export function planOf(
  seed: string,
  listing: Pick<Listing, 'index' | 'createdAtMs'>,
  genesisUnixSeconds: number,
): PricePlan {
  const character = GENESIS_TOKENS[listing.index]?.character ?? 'launch';
  const ticket = runners.indexOf(listing.index);
  const bornAt = listing.createdAtMs / 1000 - genesisUnixSeconds;
  return planFor(seed, listing.index, character, bornAt, {
    ticket: ticket < 0 ? null : ticket,
    tickets: runners.length,
  });
}

/** The logarithm of the price that the plan counts from. */
export function firstLogOf(listing: Listing): number {
  const { curve, supply } = listing;
  if (curve !== undefined) return Math.log(Number(curve.virtualLamports) / Number(curve.virtualTokens + supply));
  // The virtual reserves are a fixed part of the first curve on both sides, so their ratio is the first price.
  return Math.log(Number(listing.virtualLamports) / Number(listing.virtualTokens));
}
