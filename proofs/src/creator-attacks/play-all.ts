import { playHonestCreators, type HonestFigures } from './honest-creators.ts';
import { MONEY_ATTACKS, playMoneyAttack, type Bar, type MoneyPlan, type MoneyResult } from './money-attacks.ts';
import { cheapestFirstRank, copiedNames, ordersBeforeAnExit, playRecordAttacks } from './record-attacks.ts';

export type Size = {
  readonly seeds: readonly string[];
  readonly pools: readonly bigint[];
  readonly lifts: readonly number[];
  readonly shares: readonly bigint[];
  /** Whether strangers trade as well: where they do, a held price becomes the reference. */
  readonly lively: readonly boolean[];
  readonly rankStep: number;
  readonly honestHours: number;
  readonly honestCreators?: number;
};

export const FULL: Size = {
  seeds: ['1', '2'],
  pools: [60n, 120n, 300n, 1_000n, 5_000n],
  lifts: [0.9, 2, 5, 15, 40, 100],
  shares: [30n, 100n],
  lively: [false, true],
  rankStep: 4,
  honestHours: 6,
};

export type MoneyRow = MoneyResult & { name: string; bar: Bar; barLamports: bigint; isKept: boolean; plan: MoneyPlan };

/** The attack in every market of the size; the row is the one in which it comes nearest to its bar or farthest above. */
export function playMoneyAttacks(size: Size): MoneyRow[] {
  return MONEY_ATTACKS.map((attack) => {
    let worst: MoneyRow | null = null;
    for (const plan of plansOf(size, attack.pools, attack.lively)) {
      const result = playMoneyAttack(attack, plan);
      const barLamports = barOf(attack.bar, result);
      const isKept = result.gainLamports <= barLamports;
      const row = { ...result, name: attack.name, bar: attack.bar, barLamports, isKept, plan };
      if (worst === null || result.gainLamports - barLamports > worst.gainLamports - worst.barLamports) worst = row;
    }
    return worst!;
  });
}

function plansOf(size: Size, pools = size.pools, lively = size.lively): MoneyPlan[] {
  return size.seeds.flatMap((seed) =>
    pools.flatMap((poolSol) =>
      lively.flatMap((isLively) =>
        size.lifts.flatMap((lift) => size.shares.map((share) => ({ seed, poolSol, isLively, lift, share }))),
      ),
    ),
  );
}

function barOf(bar: Bar, { followLamports, feeLamports }: MoneyResult): bigint {
  const percent = { nothing: 0, 'run-up': 3, 'coin-cap': bar.kind === 'coin-cap' ? bar.percent : 0, 'cost-guard': 6 };
  const share = (followLamports * BigInt(percent[bar.kind])) / 100n;
  return bar.kind === 'nothing' ? 0n : share + feeLamports;
}

export type Played = {
  money: MoneyRow[];
  record: ReturnType<typeof playRecordAttacks>;
  firstRank: ReturnType<typeof cheapestFirstRank>;
  copiedNames: number;
  ordersBeforeAnExit: number;
  honest: HonestFigures;
};

export async function playAll(size: Size): Promise<Played> {
  return {
    money: playMoneyAttacks(size),
    record: playRecordAttacks(),
    firstRank: cheapestFirstRank(size.rankStep),
    copiedNames: copiedNames(),
    ordersBeforeAnExit: await ordersBeforeAnExit(),
    honest: playHonestCreators(size.seeds[0]!, size.honestHours, size.honestCreators),
  };
}

const sol = (lamports: bigint): string => (Number(lamports) / 1e9).toFixed(3);
const BAR_TEXT = { nothing: 'nothing', 'run-up': '3 % + fees', 'coin-cap': 'coin cap', 'cost-guard': '6 % + fees' };

/** The table that the proof prints. */
export function tableOf({ money, record, firstRank, honest, ...rest }: Played): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = money.map((row) =>
    line([
      row.name.padEnd(58),
      sol(row.gainLamports).padStart(8),
      `${sol(row.lossLamports)} of ${sol(row.followLamports)}`.padStart(18),
      BAR_TEXT[row.bar.kind].padEnd(10),
      row.isKept ? 'kept' : `ABOVE by ${sol(row.gainLamports - row.barLamports)}`,
    ]),
  );
  const reasons = Object.entries(honest.reasons).map(
    ([reason, { limited, skipped }]) => `${reason}: ${limited} limited, ${skipped} skipped`,
  );
  return [
    line(['attack, in its worst market', 'gain SOL', 'followers lose', 'bar', '']),
    ...rows,
    ...record.map(({ name, gained }) =>
      line([
        name.padEnd(58),
        `score ${gained <= 0 ? '' : '+'}${gained.toFixed(5)}`,
        '',
        'nothing',
        gained <= 0 ? 'kept' : 'ABOVE',
      ]),
    ),
    `first rank: ${firstRank.sol.toFixed(1)} SOL at the cheapest of ${firstRank.tried} ways`,
    `copied names accepted: ${rest.copiedNames}; orders of the creator before an exit: ${rest.ordersBeforeAnExit}`,
    `honest creators: ${(honest.takingPart * 100).toFixed(1)} % of ${honest.copies} copied buys take part, ${(honest.ofWantedSol * 100).toFixed(1)} % of the SOL wanted`,
    ...reasons,
  ].join('\n');
}
