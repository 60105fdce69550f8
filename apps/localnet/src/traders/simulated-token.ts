import { LAMPORTS_PER_SOL } from '@hunter/domain/numbers/lamports';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { Address } from '@hunter/solana/address';
import { derivedKeypair } from '../venue/derived-keypair.ts';
import type { Listing } from '../venue/listing.ts';
import { mintKeypair } from '../venue/pool-registry.ts';
import type { MintExtensions } from '../venue/token-account-data.ts';
import type { Character } from './price-plan.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';
import type { CatalogueEntry } from './token-catalogue.ts';

const DECIMALS = 6;
const SUPPLY = 1_000_000_000n * 10n ** 6n;
/** Smallest and largest market cap in SOL at the first price: about 20 thousand and 80 million dollars. */
const CAP_SOL_MIN = 140;
const CAP_SOL_MAX = 400_000;
const DEPTH_SOL_MIN = 30;
/** Depth grows slower than the cap: 30 SOL in the smallest pool, about 2,500 in the largest. */
const DEPTH_EXPONENT = 0.555;
/** One part in so many of what the curve counts is virtual. */
const VIRTUAL_DIVISOR = 10n;
const HOSTILE_FEE_BPS = 700;

/** A token at its first price: the listing and what its pool starts with. */
export type SimulatedToken = { listing: Listing; poolLamports: bigint; poolTokens: bigint };

type PoolStart = { capSol: number; depthSol: number; virtualDivisor: bigint };

export function createToken(
  seed: string,
  index: number,
  entry: CatalogueEntry,
  createdAtMs: number,
  start: PoolStart = genesisStart(seed, index, entry),
): SimulatedToken {
  const mint = mintKeypair(seed, index).address;
  const dev = devKeypair(seed, index).address;
  const curveLamports = lamportsOf(start.depthSol);
  const curveTokens = (curveLamports * SUPPLY) / lamportsOf(start.capSol);
  const virtualLamports = curveLamports / start.virtualDivisor;
  const virtualTokens = curveTokens / start.virtualDivisor;
  const hostile = entry.hostile ?? [];
  const tokenProgram = entry.token2022 === true ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  return {
    listing: {
      index,
      mint,
      tokenProgram,
      name: entry.name,
      symbol: entry.symbol,
      decimals: DECIMALS,
      supply: SUPPLY,
      createdAtMs,
      dev,
      mintAuthority: hostile.includes('mint-authority') ? dev : null,
      freezeAuthority: hostile.includes('freeze-authority') || hostile.includes('frozen-by-default') ? dev : null,
      extensions: extensionsOf(entry, mint, dev),
      isVerified: entry.verified ?? false,
      tags: entry.character === 'launch' ? ['launch'] : [],
      virtualLamports,
      virtualTokens,
    },
    poolLamports: curveLamports - virtualLamports,
    poolTokens: curveTokens - virtualTokens,
  };
}

/** One developer stands behind every third token, so that serial launchers exist. */
export function devKeypair(seed: string, index: number): ReturnType<typeof derivedKeypair> {
  return derivedKeypair(seed, 'dev', index % 3 === 2 ? index - 2 : index);
}

function lamportsOf(sol: number): bigint {
  return BigInt(Math.round(sol * 1e6)) * (LAMPORTS_PER_SOL / 1_000_000n);
}

function genesisStart(seed: string, index: number, entry: CatalogueEntry): PoolStart {
  const capSol = startCapSol(seed, index, entry);
  const depthSol = DEPTH_SOL_MIN * (capSol / CAP_SOL_MIN) ** DEPTH_EXPONENT;
  return { capSol, depthSol, virtualDivisor: VIRTUAL_DIVISOR };
}

/** Verified tokens are the large ones; what is meant to fall begins high enough to stay visible afterwards. */
function startCapSol(seed: string, index: number, entry: CatalogueEntry): number {
  const random = new SeededRandom(`${seed}:cap:${index}`);
  const [low, high] = capShares[entry.character] ?? (entry.verified === true ? [0.5, 0.7] : [0.16, 0.62]);
  return CAP_SOL_MIN * (CAP_SOL_MAX / CAP_SOL_MIN) ** random.between(low, high);
}

/** Where between the smallest and the largest cap a character begins. */
const capShares: Partial<Record<Character, [number, number]>> = {
  golden: [0.14, 0.38],
  rug: [0.5, 0.75],
  dead: [0.42, 0.62],
};

function extensionsOf(entry: CatalogueEntry, mint: Address, dev: Address): MintExtensions {
  if (entry.token2022 !== true) return {};
  const hostile = entry.hostile ?? [];
  return {
    ...(hostile.includes('transfer-fee')
      ? { transferFee: { basisPoints: HOSTILE_FEE_BPS, maximum: SUPPLY, authority: dev } }
      : {}),
    ...(hostile.includes('permanent-delegate') ? { permanentDelegate: dev } : {}),
    ...(hostile.includes('frozen-by-default') ? { frozenByDefault: true } : {}),
    metadata: {
      updateAuthority: hostile.length > 0 ? dev : null,
      mint,
      name: entry.name,
      symbol: entry.symbol,
      uri: '',
    },
  };
}
