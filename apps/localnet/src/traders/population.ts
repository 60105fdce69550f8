import type { Keypair } from '@hunter/solana/keypair';
import { derivedKeypair } from '../venue/derived-keypair.ts';
import type { Listing } from '../venue/listing.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';

/**
 * `smart` wallets know a token's planned price and time their trades well; whales trade large sums with average results; the crowd
 * trades at random; bots buy the same small sum again and again and sell it soon after.
 */
type Skill = 'smart' | 'whale' | 'crowd' | 'bot';

export type SimulatedWallet = { index: number; readonly keypair: Keypair; skill: Skill; startLamports: bigint };

const SMART = 28;
const WHALES = 20;
const CROWD = 292;
/** Behind all others, so that those are who they were before there were bots. */
const BOTS = 24;
const LAMPORTS_PER_SOL = 1_000_000_000n;

export function createPopulation(seed: string): SimulatedWallet[] {
  const random = new SeededRandom(`${seed}:population`);
  const skills: Skill[] = [
    ...Array.from({ length: SMART }, () => 'smart' as const),
    ...Array.from({ length: WHALES }, () => 'whale' as const),
    ...Array.from({ length: CROWD }, () => 'crowd' as const),
    ...Array.from({ length: BOTS }, () => 'bot' as const),
  ];
  return skills.map((skill, index) => {
    let made: Keypair | undefined;
    return {
      index,
      // Made when first needed: all of them at once took a third of a start.
      get keypair(): Keypair {
        return (made ??= derivedKeypair(seed, 'trader', index));
      },
      skill,
      startLamports: startSol(skill, random) * LAMPORTS_PER_SOL,
    };
  });
}

function startSol(skill: Skill, random: SeededRandom): bigint {
  if (skill === 'whale') return BigInt(2_000 + random.whole(6_000));
  if (skill === 'smart') return BigInt(300 + random.whole(900));
  if (skill === 'bot') return BigInt(80 + random.whole(120));
  return BigInt(40 + Math.floor(160 * Math.exp(random.normal() * 0.8)));
}

/**
 * Those who ever trade one token. A bounded circle keeps the number of token accounts bounded. The skilled stay away
 * from tokens that can be taxed, frozen or taken.
 */
export function circleOf(
  seed: string,
  population: readonly SimulatedWallet[],
  listing: Pick<Listing, 'index' | 'extensions'>,
): SimulatedWallet[] {
  const random = new SeededRandom(`${seed}:circle:${listing.index}`);
  const of = (skill: Skill, count: number): SimulatedWallet[] =>
    random.shuffled(population.filter((wallet) => wallet.skill === skill)).slice(0, count);
  const { transferFee, permanentDelegate, frozenByDefault } = listing.extensions;
  const isHostile = transferFee !== undefined || permanentDelegate !== undefined || frozenByDefault === true;
  return [...of('smart', isHostile ? 0 : 9), ...of('whale', 4), ...of('crowd', 40), ...of('bot', isHostile ? 0 : 5)];
}
