import { creatorScore, type ScoredTrip } from '@hunter/domain/record/creator-score';
import {
  aPool,
  aRecordFill,
  firstRank,
  judged,
  loss,
  many,
  pump,
  puppets,
  scored,
  scoreOf,
  SOL,
  win,
} from '@hunter/domain/record/forged-record-for-test';
import { readStrategyName } from '@hunter/domain/names/strategy-name';
import { StrategyLanes, type LaneOwners } from '../../../apps/server/src/strategies/strategy-lanes.ts';

/** What an attack on the record changes in its score; no more than nothing is right. */
export type RecordRow = { readonly name: string; readonly gained: number };

export function playRecordAttacks(): RecordRow[] {
  const honest = many(30, (index) => win(index));
  const mixed = many(30, (index) => (index % 2 === 0 ? win(index, `coin-${index}`) : loss(index)));
  const against = (name: string, attacked: readonly ScoredTrip[], without: readonly ScoredTrip[]): RecordRow => ({
    name,
    gained: scoreOf(attacked) - scoreOf(without),
  });
  const gift = (tokens: bigint, sol: bigint) =>
    many(10, (index) =>
      scored(index, [
        aRecordFill({ equityBeforeLamports: SOL + sol }),
        aRecordFill({ kind: 'sell', tokens: 1_000n + tokens, lamports: (SOL / 2_000n) * (1_000n + tokens) }),
      ]),
    );
  return [
    against('wash trades at prices of his own making', [...honest, ...many(40, washed)], honest),
    against('gifts of SOL and wrapped SOL', gift(0n, 1_000n * SOL), gift(0n, 0n)),
    against('gifts of tokens', gift(1_000_000n, 0n), gift(0n, 0n)),
    // Without the attack the losers count; ending them must not take them away.
    against('thirty strategies of which the losers are ended', mixed, mixed),
    against(
      'a loser made off-market on purpose',
      [...honest, ...loss(0, { offMarket: 'own-trade' })],
      [...honest, ...loss(0)],
    ),
    against('a top-up after a lucky start', many(20, toppedUp), many(20, lucky)),
    {
      name: 'sock-puppet followers with forged gains',
      gained: creatorScore(many(20, lost), puppets) - scoreOf(many(20, lost)),
    },
  ];
}

const lost = (index: number): ScoredTrip[] => loss(index);
const lucky = (index: number): ScoredTrip[] =>
  scored(index, [aRecordFill(), aRecordFill({ kind: 'sell', lamports: SOL })]);
const toppedUp = (index: number): ScoredTrip[] =>
  scored(index, [
    aRecordFill(),
    aRecordFill({ tokens: 1n, lamports: SOL / 1_000n, equityBeforeLamports: 100n * SOL }),
    aRecordFill({ kind: 'sell', tokens: 1_001n, lamports: SOL }),
  ]);

function washed(index: number): ScoredTrip[] {
  const market = { numerator: SOL / 2n, denominator: 1_000n };
  const pool = aPool(500n * SOL);
  return scored(index, [
    judged('buy', 1_000n, SOL / 20n, market, pool),
    judged('sell', 1_000n, 5n * SOL, market, pool),
  ]);
}

/** The least that the first rank costs, over pumps of every size, with followers of his own for nothing. */
export function cheapestFirstRank(step: number): { sol: number; tried: number } {
  let cheapest = Infinity;
  let tried = 0;
  for (const poolSol of [50n, 100n, 300n, 1_000n, 3_000n, 5_000n])
    for (let pumpPercent = 2n; pumpPercent <= 150n; pumpPercent += BigInt(step))
      for (const stakePercent of [2n, 5n, 10n, 25n, 50n, 100n])
        for (const count of [20, 30, 45, 60]) {
          tried += 1;
          const pumps = Array.from({ length: count }, (_, index) =>
            pump({ poolSol, pumpPercent, stakePercent }, index),
          );
          const trips = pumps.flatMap((each) => each.trips);
          if (creatorScore(trips, puppets) < firstRank) continue;
          const cost = pumps.reduce((sum, { costLamports }) => sum + costLamports, 0n);
          cheapest = Math.min(cheapest, Number(cost) / Number(SOL));
        }
  return { sol: cheapest, tried };
}

const LOOK_ALIKES = [
  'quiet harbor',
  'Quiet Нarbor',
  'Quiet-Harbor',
  'QUIET HARB0R',
  'Quiet Hаrbor',
  'Qui\u200bet Harbor',
];

/** How many names that copy another's would be taken for a name of their own. */
export function copiedNames(): number {
  const key = readStrategyName('Quiet Harbor')!.key;
  return LOOK_ALIKES.filter((name) => {
    const read = readStrategyName(name);
    return read !== null && read.key !== key;
  }).length;
}

const everyLane: LaneOwners = {
  own: () => Promise.resolve(),
  begin: () => {},
  end: () => {},
  require: () => Promise.resolve(),
  mine: () => null,
};

/** How many of a creator's orders run before an exit that was asked for while the first of a thousand was under way. */
export async function ordersBeforeAnExit(): Promise<number> {
  const lanes = new StrategyLanes(everyLane);
  let before = 0;
  let isOut = false;
  const exit = Promise.withResolvers<void>();
  const orders = Array.from({ length: 1_000 }, (_, index) =>
    lanes.run('00000000', 'creator', async () => {
      if (index === 0) {
        const leaving = lanes.run('00000000', 'exit', async () => {
          isOut = true;
        });
        void leaving.then(exit.resolve);
      }
      await Promise.resolve();
      if (!isOut) before += 1;
    }),
  );
  await Promise.all([...orders, exit.promise]);
  return before;
}
