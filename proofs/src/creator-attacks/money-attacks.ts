import type { Address } from '@hunter/domain/address';
import { AttackMarket, HOUR_MS, MINUTE_MS, SOL, type CoinPlan } from './attack-market.ts';
import { AttackedStrategy, type Join } from './attacked-strategy.ts';

/** The most that an attack may gain. */
export type Bar =
  /** Known and linked accounts gain nothing. */
  | { readonly kind: 'nothing' }
  /** An unlinked wallet with a pump shorter than 30 minutes: a part of the follows per coin and day, and fees. */
  | { readonly kind: 'run-up' }
  /** Whoever hides and waits: the coin cap. */
  | { readonly kind: 'coin-cap'; readonly percent: number }
  /** Trading to and fro for the pool's fees: the cost guard of a day. */
  | { readonly kind: 'cost-guard' };

export type Stage = {
  readonly market: AttackMarket;
  readonly strategy: AttackedStrategy;
  readonly mint: Address;
  /** The creator's whole spendable SOL, or a part of it. */
  readonly share: bigint;
  readonly lift: number;
  /** Another strategy of the same creator, with a capital like the first. */
  readonly another: () => AttackedStrategy;
};

export type MoneyAttack = {
  readonly name: string;
  readonly bar: Bar;
  readonly play: (stage: Stage) => void;
  readonly coin?: Partial<CoinPlan>;
  readonly pools?: readonly bigint[];
  /** Whether strangers trade the coin as well; by default both is tried. */
  readonly lively?: readonly boolean[];
};

export type MoneyPlan = { seed: string; poolSol: bigint; isLively: boolean; lift: number; share: bigint };

export type MoneyResult = {
  gainLamports: bigint;
  /** What the honest followers lost together, and of what. */
  lossLamports: bigint;
  followLamports: bigint;
  /** What the followers paid in fees on the way. */
  feeLamports: bigint;
};

const CAPITAL = 10n * SOL;
const HONEST = [50n * SOL, 30n * SOL, 15n * SOL];
const WAR_CHEST = 10_000n * SOL;
const ATTACKER = ['personal', 'linked', 'hidden'] as const;
/** As `creatorWaitMs` and `mayFollowersBuy` demand it. */
const APART_MS = 10 * MINUTE_MS + 1_000;
const PATIENT_MS = 61 * MINUTE_MS;

/** The attack in one market, against the same market in which the attacker does nothing. */
export function playMoneyAttack(attack: MoneyAttack, plan: MoneyPlan): MoneyResult {
  const attacked = run(attack, plan, attack.play);
  const quiet = run(attack, plan, ({ strategy }) => strategy.advance(HOUR_MS));
  return {
    gainLamports: attacked.attacker - quiet.attacker,
    lossLamports: attacked.honestLoss - quiet.honestLoss,
    followLamports: attacked.followed,
    feeLamports: attacked.fees,
  };
}

type Outcome = { attacker: bigint; honestLoss: bigint; followed: bigint; fees: bigint };

function run(attack: MoneyAttack, plan: MoneyPlan, play: (stage: Stage) => void): Outcome {
  const market = new AttackMarket(plan.seed);
  const { mint } = market.addCoin('coin', { poolSol: plan.poolSol, isLively: plan.isLively, ...attack.coin });
  for (const name of ATTACKER) market.wallet(name).sol = WAR_CHEST;
  const joins: Join[] = [];
  const strategy = new AttackedStrategy(market, CAPITAL, { joins });
  strategy.linked.add('linked');
  const strategies = [strategy];
  const another = (): AttackedStrategy => {
    const made = new AttackedStrategy(market, CAPITAL, { joins });
    strategies.push(made);
    return made;
  };
  for (const [index, sol] of HONEST.entries()) strategy.follow(`honest ${index}`, sol);
  market.advance(2 * HOUR_MS);
  play({ market, strategy, mint, share: plan.share, lift: plan.lift, another });
  // Whatever the attacker still has outside is sold first: that is the better end for him.
  for (const name of ATTACKER)
    for (const each of market.coins.keys())
      market.trade(name, 'sell', each, market.wallet(name).tokens.get(each) ?? 0n);
  for (const each of strategies) each.end();
  const follows = strategies.flatMap((each) => each.follows);
  const puppets = follows.filter(({ id }) => id.startsWith('puppet'));
  const honest = follows.filter(({ id }) => id.startsWith('honest'));
  const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
  return {
    attacker:
      sum(strategies.map(({ creator }) => creator.sol - CAPITAL)) +
      sum(ATTACKER.map((name) => market.wallet(name).sol)) +
      sum(puppets.map(({ book, invested }) => book.sol - invested)),
    honestLoss: sum(honest.map(({ book, invested }) => invested - book.sol)),
    fees: sum(strategies.map(({ followersFees }) => followersFees)),
    followed: sum(honest.map(({ invested }) => invested)),
  };
}

const spendOf = ({ strategy, share }: Stage): bigint => (strategy.spendable() * share) / 100n;

/** Lifts the price from a wallet, at once or in slices. */
function lift(stage: Stage, wallet: string, spanMs: number): void {
  const { market, strategy, mint } = stage;
  const total = market.solToLift(mint, stage.lift);
  const slices = spanMs === 0 ? 1 : Math.ceil(spanMs / (2 * MINUTE_MS));
  for (let slice = 0; slice < slices; slice += 1) {
    market.trade(wallet, 'buy', mint, total / BigInt(slices));
    if (spanMs > 0) strategy.advance(spanMs / slices);
  }
}

const dump = ({ market, mint }: Stage, wallet: string): void => {
  market.trade(wallet, 'sell', mint, market.wallet(wallet).tokens.get(mint) ?? 0n);
};

/** Buys and sells in the strategy with somebody around every swap, for a day. */
function tripsOfADay(stage: Stage, every: number, trip: () => void): void {
  for (let atMs = 0; atMs < 24 * HOUR_MS; atMs += every) {
    trip();
    stage.strategy.advance(every);
  }
}

/** Lifts the coin with the own account, waits, drags followers in and sells to them. */
function pumpForHimself(stage: Stage, waitMs: number): void {
  const { strategy, market, mint } = stage;
  strategy.personal('buy', mint, market.solToLift(mint, stage.lift));
  strategy.advance(waitMs);
  strategy.buy(mint, spendOf(stage));
  strategy.advance(APART_MS);
  strategy.personal('sell', mint, market.wallet('personal').tokens.get(mint) ?? 0n);
}

export const MONEY_ATTACKS: readonly MoneyAttack[] = [
  {
    name: 'pump with the own account, drag in, sell',
    bar: { kind: 'nothing' },
    play: (stage) => pumpForHimself(stage, APART_MS),
  },
  {
    name: 'pump with a linked wallet, drag in, sell',
    bar: { kind: 'nothing' },
    play: (stage) => {
      lift(stage, 'linked', 0);
      stage.strategy.buy(stage.mint, spendOf(stage));
      dump(stage, 'linked');
    },
  },
  {
    name: 'pump with a linked wallet over 20 minutes',
    bar: { kind: 'nothing' },
    play: (stage) => {
      lift(stage, 'linked', 20 * MINUTE_MS);
      stage.strategy.buy(stage.mint, spendOf(stage));
      stage.strategy.advance(APART_MS);
      dump(stage, 'linked');
    },
  },
  {
    name: 'pump with the own account, hold it for an hour, drag in',
    bar: { kind: 'coin-cap', percent: 50 },
    play: (stage) => pumpForHimself(stage, PATIENT_MS),
  },
  {
    name: 'fast pump from an unlinked wallet',
    bar: { kind: 'run-up' },
    play: (stage) => {
      lift(stage, 'hidden', 0);
      stage.strategy.buy(stage.mint, spendOf(stage));
      dump(stage, 'hidden');
    },
  },
  {
    name: 'unlinked pump over 25 minutes, bought in parts',
    bar: { kind: 'run-up' },
    play: (stage) => {
      lift(stage, 'hidden', 25 * MINUTE_MS);
      for (let part = 0; part < 3; part += 1) stage.strategy.buy(stage.mint, spendOf(stage) / 2n);
      dump(stage, 'hidden');
    },
  },
  {
    name: 'link whoever sold, lift the price back, drag in, sell',
    bar: { kind: 'run-up' },
    play: (stage) => {
      const { market, strategy, mint } = stage;
      const { solReserve, virtualSol, tokenReserve, virtualTokens } = market.coins.get(mint)!.pool;
      // Somebody sells as much as lowers the price by about the lift that brings it back.
      const fallen = Math.sqrt(1 + stage.lift / 100) - 1;
      const sold = BigInt(Math.floor(Number(tokenReserve + virtualTokens) * fallen));
      market.wallet('whale').tokens.set(mint, sold);
      const before = solReserve + virtualSol;
      market.trade('whale', 'sell', mint, sold);
      strategy.advance(10 * MINUTE_MS);
      strategy.linked.add('whale');
      const { solReserve: left } = market.coins.get(mint)!.pool;
      market.trade('hidden', 'buy', mint, before - left - virtualSol);
      strategy.buy(mint, spendOf(stage));
      dump(stage, 'hidden');
    },
  },
  {
    name: 'unlinked pump again every hour of a day',
    bar: { kind: 'run-up' },
    play: (stage) =>
      tripsOfADay(stage, HOUR_MS, () => {
        lift(stage, 'hidden', 0);
        stage.strategy.buy(stage.mint, spendOf(stage));
        dump(stage, 'hidden');
        stage.strategy.sell(stage.mint, 100n);
      }),
  },
  {
    name: 'a trip without loss before each pump of a day',
    bar: { kind: 'run-up' },
    play: (stage) =>
      tripsOfADay(stage, HOUR_MS, () => {
        const { market, strategy, mint } = stage;
        for (const isLifted of [true, false]) {
          lift(stage, 'hidden', 0);
          strategy.buy(mint, spendOf(stage));
          // What the followers paid above the reference comes back to them, and their budget with it.
          if (isLifted) market.trade('hidden', 'buy', mint, market.solToLift(mint, 3));
          else dump(stage, 'hidden');
          strategy.sell(mint, 100n);
          dump(stage, 'hidden');
        }
      }),
  },
  {
    name: 'patient pump over 3 hours',
    bar: { kind: 'coin-cap', percent: 50 },
    play: (stage) => {
      lift(stage, 'hidden', 3 * HOUR_MS);
      for (let part = 0; part < 10; part += 1) {
        stage.strategy.buy(stage.mint, spendOf(stage) / 2n);
        stage.strategy.advance(5 * MINUTE_MS);
      }
      dump(stage, 'hidden');
    },
  },
  {
    name: 'sandwich around every purchase of a day',
    bar: { kind: 'run-up' },
    play: (stage) => {
      const { strategy, market, mint } = stage;
      const front = (): void => {
        market.trade('hidden', 'buy', mint, market.solToLift(mint, Math.min(stage.lift, 1.9)));
      };
      tripsOfADay(stage, 30 * MINUTE_MS, () => {
        strategy.buy(mint, spendOf(stage), { between: front });
        dump(stage, 'hidden');
        strategy.sell(mint, 100n);
      });
    },
  },
  {
    name: 'sandwich around every sale of a day',
    bar: { kind: 'coin-cap', percent: 50 },
    play: (stage) => {
      const { strategy, market, mint } = stage;
      lift(stage, 'hidden', 3 * HOUR_MS);
      let got = 0n;
      const press = (): void => {
        got = market.trade('hidden', 'sell', mint, market.wallet('hidden').tokens.get(mint) ?? 0n) ?? 0n;
      };
      tripsOfADay(stage, 30 * MINUTE_MS, () => {
        strategy.buy(mint, spendOf(stage));
        strategy.sell(mint, 100n, { between: press });
        market.trade('hidden', 'buy', mint, got);
      });
    },
  },
  {
    name: 'own coin with own liquidity, dumped on followers',
    bar: { kind: 'coin-cap', percent: 25 },
    coin: { ageMs: 2 * HOUR_MS },
    lively: [false],
    pools: [60n, 99n, 150n, 480n, 2_000n],
    play: (stage) => {
      const { strategy, market, mint } = stage;
      const poolSol = market.coins.get(mint)!.pool.solReserve;
      for (let part = 0; part < 20; part += 1) {
        strategy.buy(mint, spendOf(stage) / 4n);
        strategy.advance(10 * MINUTE_MS);
      }
      market.drain('hidden', mint, poolSol);
    },
  },
  {
    name: 'pile up a holding nobody can sell',
    bar: { kind: 'coin-cap', percent: 50 },
    play: (stage) => {
      const { strategy, mint } = stage;
      lift(stage, 'hidden', 2 * HOUR_MS);
      for (let part = 0; part < 40; part += 1) {
        strategy.buy(mint, spendOf(stage) / 8n);
        strategy.advance(20 * MINUTE_MS);
      }
      dump(stage, 'hidden');
    },
  },
  {
    name: 'fraction trick: spend elsewhere, then 100 %',
    bar: { kind: 'coin-cap', percent: 50 },
    play: (stage) => {
      const { strategy, market, mint } = stage;
      const refused = market.addCoin('refused', { poolSol: 5_000n, ageMs: HOUR_MS / 2 });
      strategy.buy(refused.mint, (strategy.spendable() * 95n) / 100n);
      lift(stage, 'hidden', 3 * HOUR_MS);
      strategy.buy(mint, strategy.spendable());
      dump(stage, 'hidden');
    },
  },
  {
    name: 'sell-side squeeze, again and again for a day',
    bar: { kind: 'coin-cap', percent: 50 },
    play: (stage) => {
      const { strategy, market, mint } = stage;
      lift(stage, 'hidden', 3 * HOUR_MS);
      tripsOfADay(stage, 30 * MINUTE_MS, () => {
        strategy.buy(mint, spendOf(stage));
        const bag = market.wallet('hidden').tokens.get(mint) ?? 0n;
        const got = market.trade('hidden', 'sell', mint, bag) ?? 0n;
        strategy.sell(mint, 100n);
        market.trade('hidden', 'buy', mint, got);
      });
    },
  },
  {
    name: 'churn for the fees of the own pool',
    bar: { kind: 'cost-guard' },
    play: (stage) => {
      const { strategy, mint } = stage;
      tripsOfADay(stage, 12 * MINUTE_MS, () => {
        strategy.buy(mint, spendOf(stage));
        strategy.sell(mint, 100n);
      });
    },
  },
  {
    name: 'fat priority fees, the validator being his own',
    bar: { kind: 'cost-guard' },
    play: (stage) => {
      const { strategy, market, mint } = stage;
      tripsOfADay(stage, HOUR_MS, () => {
        for (const side of ['buy', 'sell'] as const) {
          const networkFee = strategy.creator.sol / 10n;
          const done =
            side === 'buy'
              ? strategy.buy(mint, spendOf(stage) / 2n, { networkFee })
              : strategy.sell(mint, 100n, { networkFee });
          if (done) market.wallet('hidden').sol += networkFee;
        }
      });
    },
  },
  {
    name: 'coarse token with chosen remainders',
    bar: { kind: 'nothing' },
    // One base unit is worth just under 1,000 lamports.
    coin: { supply: 1_010_000_000n, poolSol: 1_000n },
    pools: [1_000n],
    play: (stage) => {
      const { strategy, mint } = stage;
      for (let round = 0n; round < 40n; round += 1n) {
        strategy.buy(mint, 20_000_000n + round * 1_237n);
        strategy.sell(mint, 100n);
        strategy.advance(10 * MINUTE_MS);
      }
    },
  },
  {
    name: 'own account buys, one joins, own account sells',
    bar: { kind: 'nothing' },
    play: (stage) => {
      const { strategy, market, mint } = stage;
      strategy.buy(mint, spendOf(stage));
      strategy.advance(3 * HOUR_MS);
      strategy.personal('buy', mint, market.solToLift(mint, stage.lift / 4));
      joinFully(stage, strategy.follow('honest joiner', 60n * SOL));
      strategy.personal('sell', mint, market.wallet('personal').tokens.get(mint) ?? 0n);
    },
  },
  {
    name: 'own account holds for hours, sells when one joins',
    bar: { kind: 'coin-cap', percent: 50 },
    play: (stage) => {
      const { strategy, market, mint } = stage;
      strategy.personal('buy', mint, market.solToLift(mint, stage.lift / 4));
      strategy.buy(mint, spendOf(stage));
      strategy.advance(3 * HOUR_MS);
      joinFully(stage, strategy.follow('honest joiner', 60n * SOL));
      strategy.personal('sell', mint, market.wallet('personal').tokens.get(mint) ?? 0n);
    },
  },
  {
    name: 'strategy sells right after one joined',
    bar: { kind: 'nothing' },
    play: (stage) => {
      const { strategy, mint } = stage;
      strategy.buy(mint, spendOf(stage));
      strategy.advance(3 * HOUR_MS);
      joinFully(stage, strategy.follow('honest joiner', 60n * SOL));
      strategy.sell(mint, 100n);
    },
  },
  {
    name: 'two strategies sell right after one joined each',
    bar: { kind: 'nothing' },
    play: (stage) => {
      const { strategy, mint } = stage;
      const both = [strategy, stage.another()];
      for (const each of both) each.buy(mint, (each.spendable() * stage.share) / 100n);
      strategy.advance(3 * HOUR_MS);
      const joiners = both.map((each) => [each, each.follow('honest joiner', 60n * SOL)] as const);
      for (const [each, joiner] of joiners) joinFully({ ...stage, strategy: each }, joiner);
      for (const each of both) each.sell(mint, 100n);
    },
  },
  {
    name: 'sells nearly all after one joined, and an own bag to him',
    bar: { kind: 'coin-cap', percent: 50 },
    play: (stage) => {
      const { strategy, market, mint } = stage;
      strategy.personal('buy', mint, market.solToLift(mint, stage.lift / 4));
      strategy.advance(2 * HOUR_MS);
      strategy.buy(mint, spendOf(stage));
      strategy.advance(3 * HOUR_MS);
      const joiner = strategy.follow('honest joiner', 60n * SOL);
      const plan = strategy.joinPlan(joiner, mint);
      let spent = strategy.join(joiner, mint, plan, 0n);
      strategy.sell(mint, 99n);
      const bag = market.wallet('personal').tokens.get(mint) ?? 0n;
      for (let hour = 0; hour < 23; hour += 1) {
        strategy.advance(HOUR_MS + MINUTE_MS);
        spent += strategy.join(joiner, mint, plan, spent);
        strategy.personal('sell', mint, bag / 23n);
      }
    },
  },
  {
    name: 'sock-puppet follower pumps from his own wallet',
    bar: { kind: 'run-up' },
    play: (stage) => {
      const { strategy } = stage;
      strategy.follow('puppet', 5n * SOL, { coinCapBps: null, runUpBps: 1_000 });
      lift(stage, 'hidden', 0);
      strategy.buy(stage.mint, spendOf(stage));
      dump(stage, 'hidden');
    },
  },
];

/** As the lane retries it: once a minute, as far as limits allow it. */
function joinFully(stage: Stage, joiner: ReturnType<AttackedStrategy['follow']>): void {
  const { strategy, mint, market } = stage;
  const plan = strategy.joinPlan(joiner, mint);
  let spent = 0n;
  for (let minute = 0; minute < 10 && spent < plan.plannedLamports; minute += 1) {
    spent += strategy.join(joiner, mint, plan, spent);
    market.advance(MINUTE_MS);
  }
}
