import { hashText } from '@hunter/domain/seeded-random';
import { latticeValue, rollingNoise, smoothNoise } from '../venue/noise.ts';

// The hidden plan of a token: where its price wants to be at any second, as the logarithm of a multiple of its first
// price. A pure function of seed, token and time; time counts seconds of market life, zero at the first start, the
// past below it. Traders pull the pool's price towards the plan, and the skilled among them know it ahead of time.

export type Character = 'climber' | 'golden' | 'pump' | 'sideways' | 'rug' | 'dead' | 'launch';

export type PricePlan = {
  character: Character;
  key: number;
  /** Which entry of the live schedule's lottery this token is, or null where it never takes part. */
  ticket: number | null;
  tickets: number;
  /** Seconds of market life at which the token began. */
  bornAt: number;
};

const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** A run that starts in the live market every few minutes somewhere, so that there is always something to find. */
const RUN_EVERY_SECONDS = 10 * MINUTE;
const RUN_MEMORY = 72;

type Surge = { at: number; height: number; riseSeconds: number; halfLifeSeconds: number };

export function planFor(
  seed: string,
  index: number,
  character: Character,
  bornAt: number,
  lottery: { ticket: number | null; tickets: number },
): PricePlan {
  return { character, key: hashText(`${seed}:plan:${index}`), bornAt, ...lottery };
}

export function targetLog(plan: PricePlan, seconds: number): number {
  const quiet = plan.character === 'dead' ? 0.15 : plan.character === 'sideways' ? 0.8 : 1;
  // Days and hours first, then the minutes, in which people who have just bought see their price move.
  const wander =
    rollingNoise(plan.key, seconds, 2 * DAY, 7, 0.66) * 0.18 * quiet +
    rollingNoise(plan.key + 57, seconds, 30 * MINUTE, 4, 0.8) * 0.025 * quiet;
  // The higher of two surges counts, not their sum: prices would climb without end where luck piles up.
  const surge = Math.max(epochSurges(plan, seconds), scheduledRuns(plan, seconds));
  return wander + course(plan, seconds) + surge;
}

/** Relative to 1: how often this token trades now. Rises in runs and falls, and in bursts of some minutes. */
export function activityAt(plan: PricePlan, seconds: number): number {
  const speed = Math.abs(targetLog(plan, seconds + 120) - targetLog(plan, seconds - 120));
  const burst = Math.max(0, smoothNoise(plan.key + 31, seconds / 240)) ** 2;
  const end = rugAge(plan);
  const isOver = end !== null && seconds - plan.bornAt > end + 10 * MINUTE;
  const young = plan.character === 'launch' && !isOver ? 3 * Math.exp(-(seconds - plan.bornAt) / (2 * HOUR)) : 0;
  return (baseActivity[plan.character] + young) * (0.35 + 2.2 * burst) + speed * 14;
}

const baseActivity: Record<Character, number> = {
  climber: 1.3,
  golden: 1.2,
  pump: 1,
  sideways: 0.7,
  rug: 0.6,
  dead: 0.06,
  launch: 0.5,
};

function course(plan: PricePlan, seconds: number): number {
  const { key, character, bornAt } = plan;
  const random = (salt: number): number => latticeValue(key, salt);
  if (character === 'climber') {
    // Up for ten days, down for six; the first start lies somewhere on the way up.
    const period = 16 * DAY;
    const phase = ((((seconds / period + 0.45 + random(1) * 0.12) % 1) + 1) % 1) / 0.625;
    return (1.2 + random(2) * 0.8) * (phase < 1 ? ease(phase) : ease((1.6 - phase) / 0.6));
  }
  if (character === 'rug') {
    const middle = -4 * DAY + random(1) * 4.5 * DAY;
    return -(2 + random(2)) / (1 + Math.exp(-(seconds - middle) / (0.35 * DAY)));
  }
  if (character === 'dead') {
    return -2.6 / (1 + Math.exp(-(seconds - (-6.3 * DAY + random(1) * DAY)) / (0.1 * DAY)));
  }
  if (character === 'launch') {
    const end = rugAge(plan);
    const age = seconds - bornAt;
    return end !== null && age > end ? RUGGED_LOG : launchCourse(age, random(1), random(2));
  }
  return 0;
}

/** Where nobody believes in it any more. */
const RUGGED_LOG = -2.2;
const RUG_SHARE = 0.25;
/** How long before the end the developer sells for the first, second and third time, and how much of what he then has. */
const WARNINGS = [
  { beforeSeconds: 11 * MINUTE, part: 0.12 },
  { beforeSeconds: 7 * MINUTE, part: 0.18 },
  { beforeSeconds: 3 * MINUTE, part: 0.25 },
];

/** The age at which the developer of a launch leaves with everything; null for those who do not. */
function rugAge({ key, character }: PricePlan): number | null {
  if (character !== 'launch' || latticeValue(key, 5) >= RUG_SHARE) return null;
  return (25 + 65 * latticeValue(key, 6)) * MINUTE;
}

export type RugStep = {
  readonly atSeconds: number;
  /** Of what he holds then. */
  readonly part: number;
  readonly isLast: boolean;
};

/** The sales by which a developer leaves: a few that can be seen in time, then all that is left. Null for those who stay. */
export function rugSteps(plan: PricePlan): RugStep[] | null {
  const age = rugAge(plan);
  if (age === null) return null;
  const end = plan.bornAt + age;
  // Not on the minute: nobody leaves by the clock.
  const shift = (salt: number): number => (latticeValue(plan.key, salt) - 0.5) * 50;
  return [
    ...WARNINGS.map(({ beforeSeconds, part }, place) => ({
      atSeconds: end - beforeSeconds + shift(10 + place),
      part,
      isLast: false,
    })),
    { atSeconds: end, part: 1, isLast: true },
  ];
}

/** Most launches rise within the hour and are forgotten by the next morning; one in five keeps what it won. */
function launchCourse(age: number, luck: number, size: number): number {
  if (age <= 0) return 0;
  // Past 2.7 a launch leaves its curve: three in ten want to.
  const peak = 0.7 + size * 2.9;
  const riseSeconds = (12 + luck * 40) * MINUTE;
  const kept = luck > 0.8 ? 0.8 : 0.05;
  const risen = peak * ease(Math.min(1, age / riseSeconds));
  const fall = age > riseSeconds ? 1 - Math.exp(-(age - riseSeconds) / (2.5 * HOUR)) : 0;
  return risen - fall * (peak * (1 - kept) + (luck > 0.8 ? 0 : 1.2));
}

type EpochRule = {
  seconds: number;
  chance: number;
  heightMin: number;
  heightMax: number;
  riseMinutes: number;
  halfLifeHours: number;
  memory: number;
};

const surgeEpochs: Partial<Record<Character, EpochRule>> = {
  pump: {
    seconds: 14 * HOUR,
    chance: 0.6,
    heightMin: 0.6,
    heightMax: 1.5,
    riseMinutes: 35,
    halfLifeHours: 4,
    memory: 3,
  },
  golden: {
    seconds: 3.2 * DAY,
    chance: 0.9,
    heightMin: 2.35,
    heightMax: 3.1,
    riseMinutes: 150,
    halfLifeHours: 22,
    memory: 3,
  },
};

function epochSurges(plan: PricePlan, seconds: number): number {
  const rule = surgeEpochs[plan.character];
  if (rule === undefined) return 0;
  const current = Math.floor(seconds / rule.seconds);
  let highest = 0;
  for (let epoch = current; epoch > current - rule.memory; epoch -= 1) {
    const random = (salt: number): number => latticeValue(plan.key + salt, epoch + 1_000_000);
    if (random(101) > rule.chance) continue;
    const surge = surgeAt(seconds, {
      at: (epoch + 0.1 + 0.7 * random(102)) * rule.seconds,
      height: rule.heightMin + (rule.heightMax - rule.heightMin) * random(103),
      riseSeconds: rule.riseMinutes * MINUTE * (0.5 + random(104)),
      halfLifeSeconds: rule.halfLifeHours * HOUR * (0.7 + 0.6 * random(105)),
    });
    highest = Math.max(highest, surge);
  }
  return highest;
}

/**
 * The live schedule: every ten minutes one ticket is drawn. Among the golden and the pumps about one run in four is
 * worth ten times or more; the steady ones only stir.
 */
function scheduledRuns(plan: PricePlan, seconds: number): number {
  if (plan.ticket === null || seconds <= 0) return 0;
  const isWild = plan.character === 'golden' || plan.character === 'pump';
  const current = Math.floor(seconds / RUN_EVERY_SECONDS);
  let highest = 0;
  for (let slot = current; slot >= Math.max(0, current - RUN_MEMORY); slot -= 1) {
    // The lottery's key is the same for all tokens, so that each draw has one winner.
    if (Math.floor(latticeValue(LOTTERY_KEY, slot) * plan.tickets) !== plan.ticket) continue;
    const random = (salt: number): number => latticeValue(plan.key + salt, slot);
    const isGolden = isWild && random(201) < 0.28;
    const run = surgeAt(seconds, {
      at: slot * RUN_EVERY_SECONDS + random(202) * 3 * MINUTE,
      height: isGolden ? 2.4 + 0.5 * random(203) : (isWild ? 0.5 : 0.15) + (isWild ? 0.8 : 0.35) * random(203),
      riseSeconds: (isGolden ? 18 : 9) * MINUTE * (0.7 + 0.6 * random(204)),
      halfLifeSeconds: (1 + 2 * random(205)) * HOUR,
    });
    highest = Math.max(highest, run);
  }
  return highest;
}

const LOTTERY_KEY = hashText('live runs');

function surgeAt(seconds: number, surge: Surge): number {
  const age = seconds - surge.at;
  if (age <= 0) return 0;
  if (age < surge.riseSeconds) return surge.height * ease(age / surge.riseSeconds);
  return surge.height * 2 ** (-(age - surge.riseSeconds) / surge.halfLifeSeconds);
}

function ease(t: number): number {
  const clamped = Math.min(1, Math.max(0, t));
  return clamped * clamped * (3 - 2 * clamped);
}
