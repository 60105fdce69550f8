/**
 * People who join and leave a strategy while its creator trades, and its end in the middle of it: every copy has one fill or one
 * explained skip, closed books are empty, and books equal the chain to the lamport. Arguments: people, rounds.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@hunter/contract/app-error';
import { lamports } from '@hunter/domain/numbers/lamports';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { cancelFollow } from '../../apps/server/src/strategies/cancel-follow.ts';
import { placeStrategyRound } from '../../apps/server/src/strategies/copying/place-strategy-round.ts';
import { createStrategy } from '../../apps/server/src/strategies/create-strategy.ts';
import { endStrategy } from '../../apps/server/src/strategies/end-strategy.ts';
import { followStrategy } from '../../apps/server/src/strategies/follow-strategy.ts';
import { StrategyLifecycle } from '../../apps/server/src/strategies/lifecycle.ts';
import { differencesToChain, strategiesOn } from '../../apps/server/src/strategies/strategies-for-test.ts';
import { startTradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const SOL = 1_000_000_000n;
const AT_A_TIME = 20;
const STAY_MS = 3_000;
const REST_MS = 3_600_000;

export default async function proveCopyRaces([people = '1000', rounds = '200']: readonly string[]): Promise<Figures> {
  return withDatabase(async (_, url) => {
    const world = await startTradingWorld(url);
    const deps = strategiesOn(world);
    const lifecycle = new StrategyLifecycle(deps);
    try {
      const random = new SeededRandom('copy races');
      const [creator] = await world.traders(1, 70n * SOL);
      const traders = await world.traders(Number(people), SOL / 4n);
      const plan = { name: 'Races', description: '', autoClear: true, capital: lamports(60n * SOL) };
      const coins = [{ tokenContractAddress: world.mint, weight: '20' }];
      const { strategy } = await createStrategy(deps, creator!.userId, { ...plan, coins }, 'races');
      lifecycle.start();
      const refused: Record<string, number> = {};
      const tolerate = async (work: Promise<unknown>): Promise<boolean> => {
        try {
          await work;
          return true;
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          refused[error.errorName] = (refused[error.errorName] ?? 0) + 1;
          return false;
        }
      };
      let [come, traded, left, staying] = [0, 0, 0, Math.ceil(Number(people) / 10)];
      let isEnding = false;
      const trade = async (): Promise<void> => {
        // Until the end refuses a round: only then has it raced one.
        for (let round = 0; ; round += 1) {
          // Spread over all who come: trades are faster than people.
          while (come < Number(people) && come * Number(rounds) < round * Number(people)) await delay(50);
          const way = round % 4 === 3 ? { side: 'sell', amountIn: 1_000_000n } : { side: 'buy', amountIn: SOL / 20n };
          const request = { strategyId: strategy.id, mint: world.mint, slippageBps: 2_000, kind: 'trade', ...way };
          const wasEnding = isEnding;
          if (await tolerate(placeStrategyRound(deps, request as Parameters<typeof placeStrategyRound>[1])))
            traded += 1;
          else if (wasEnding) return;
          if ((round + 1) % 10 === 0)
            process.stderr.write(`${round + 1} of ${rounds} rounds, ${come} came, ${left} left\n`);
        }
      };
      const queue = traders.values();
      const comeAndGo = async (): Promise<void> => {
        for (const { userId } of queue) {
          come += 1;
          const follow = { slug: strategy.slug, mode: 'sol', amount: lamports(SOL / 10n), multiplier: '1' } as const;
          if (!(await tolerate(followStrategy(deps, userId, follow, userId)))) continue;
          await delay(random.whole(STAY_MS));
          // A tenth stays until the end takes everybody out.
          if (come > Number(people) * 0.8 && staying > 0) staying -= 1;
          else if (await tolerate(cancelFollow(deps, userId, strategy.slug))) left += 1;
        }
      };
      const coming = Promise.all(Array.from({ length: AT_A_TIME }, comeAndGo));
      const end = async (): Promise<void> => {
        await coming;
        isEnding = true;
        await endStrategy(deps, strategy.id);
      };
      await Promise.all([trade(), end()]);
      await untilAtRest(() => countOpen(world.database));
      await lifecycle.stop();
      const differences = await differencesToChain(world);
      const unexplained = await world.database.query(
        `select 1 from filled_allocation a join trade_order o on o.id = a.order_id
         where o.state not in ('held', 'sent') and a.is_filled = (a.reason is not null)`,
      );
      const leftInClosedBooks = await world.database.query(
        `select 1 from balance b join book k on k.id = b.book_id where k.status = 'closed' and b.amount > 0`,
      );
      const endedWith = await world.database.query(`select 1 from follow where closed_by = 'strategy-end'`);
      return {
        people: Number(people),
        traded,
        left,
        takenOutByTheEnd: endedWith.length,
        refused,
        differences,
        unexplained: unexplained.length,
        leftInClosedBooks: leftInClosedBooks.length,
        ok:
          Object.keys(differences).length + unexplained.length + leftInClosedBooks.length === 0 &&
          traded > 0 &&
          endedWith.length > 0,
      };
    } finally {
      await world.close();
    }
  });
}

async function countOpen(database: { query(text: string): Promise<unknown[]> }): Promise<number> {
  const rows = await database.query(
    `select 1 from follow where status <> 'closed' union all select 1 from strategy where status <> 'ended'
     union all select 1 from trade_order where state in ('held', 'sent')`,
  );
  return rows.length;
}

async function untilAtRest(open: () => Promise<number>): Promise<void> {
  const untilMs = Date.now() + REST_MS;
  for (let look = 0; (await open()) > 0; look += 1) {
    if (Date.now() > untilMs) throw new Error(`${await open()} follows, strategies and orders never came to rest`);
    if (look % 20 === 19) process.stderr.write(`${await open()} still open\n`);
    await delay(500);
  }
}
