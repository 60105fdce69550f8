/**
 * Kills the server at random moments while a market moves through the levels of many triggers and most of the pool's liquidity comes
 * and goes, while the server runs and while it is dead. Each trades once or not at all, each that traded was past its level, none that
 * is past its level is left waiting, and the books equal the chain. Takes the number of kills, 100 unless told, and of triggers, 2,000
 * unless told; says on standard error how far it is.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ownPrice, isPast, type PriceScale } from '@hunter/domain/triggers/trigger-price';
import { sizeOf } from '@hunter/domain/triggers/trigger';
import { address, type Address } from '@hunter/solana/address';
import { loadCashAt } from '../../apps/server/src/ledger/balances.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { loadOpen } from '../../apps/server/src/triggers/trigger-store.ts';
import { LocalVenue } from '../../apps/server/src/venue/local-venue.ts';
import { hotMints, insist, until } from '../../scripts/product-client.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { killAtRandom } from './kill/kill-at-random.ts';
import { LiquidityProvider } from './kill/pull-liquidity.ts';
import { withKillableServer, type KillableServer, type KillableUser } from './kill/killable-server.ts';

const PER_USER = 100;
const PER_CALL = 10;
const LIFE_MS = [500, 4_000] as const;
const WHALE_LAMPORTS = 2_000_000_000_000n;
/** Thousands may fire at once when the last of the liquidity is back. */
const SETTLE_MS_MAX = 300_000;
/** One part of so many stays in the pool when liquidity is pulled. */
const LEFT_DIVISOR = 8n;

export default async function proveTriggersKill([kills = '100', count = '2000']: readonly string[]): Promise<Figures> {
  return withKillableServer(async ({ server, database, rpc, services, invariants }) => {
    const mint = address((await hotMints(server.url))[0]!);
    const users = await server.registerAll(Math.ceil(Number(count) / PER_USER));
    const whale = await server.register();
    await rpc.requestAirdrop(whale.address, WHALE_LAMPORTS);
    await until(async () => Number((await wallet(server, whale))['available']) > 1_000, 'the whale to have its SOL');
    // One after the other: at once they would move the price past each other's slippage.
    for (const user of users) {
      await act(server, user, 'tokenTransfer', { tokenContractAddress: mint, side: 'buy', amount: '2' });
    }
    let placed = 0;
    const place = async (user: KillableUser): Promise<void> => {
      for (let each = 0; each < PER_USER && placed < Number(count); each += PER_CALL) {
        const triggers = someTriggers(placed);
        placed += PER_CALL;
        await act(server, user, 'placeTrigger', { tokenContractAddress: mint, triggers });
      }
    };
    await Promise.all(users.map(place));
    process.stderr.write(`${placed} triggers of ${users.length} users placed\n`);
    const provider = await LiquidityProvider.of(rpc, services.venueUrl, mint);
    let pulls = 0;
    const changeLiquidity = async (isPulled: boolean) => {
      await (isPulled ? provider.giveBack() : provider.pull(LEFT_DIVISOR));
      if (!isPulled) pulls += 1;
    };
    await killAtRandom(server, {
      kills: Number(kills),
      lifeMs: LIFE_MS,
      // Each order of the whale moves the price through some of the levels; those cut off are not asked again.
      load: async (round) => {
        if (round % 6 === 1 || round % 6 === 2) await changeLiquidity(round % 6 === 2);
        await move(server, whale, mint, round).catch(() => {});
      },
      dead: async (round) => {
        if (round % 6 === 4 || round % 6 === 5) await changeLiquidity(round % 6 === 5);
      },
      restarted: async (round) => {
        if (round % 10 !== 9) return;
        const ends = await endsOf(database);
        process.stderr.write(
          `after ${round + 1} kills: ${ends.map(({ outcome, count: number }) => `${outcome} ${number}`).join(', ')}\n`,
        );
      },
    });
    await provider.giveBack();
    await until(
      async () => (await database.query(`select 1 from order_trigger where state = 'firing'`)).length === 0,
      'every order of a trigger to have ended',
      SETTLE_MS_MAX,
    );
    // Longer than the round over all tokens, for what nobody tells of.
    await delay(40_000);
    const { broken } = await invariants();
    const missed = await missedOnes(database, services.venueUrl, mint);
    const twice = await database.query(
      `select f.trigger_id from trigger_firing f join trade_order o on o.id = f.order_id
       where o.state in ('confirmed', 'finalized') group by f.trigger_id having count(*) > 1`,
    );
    const tooSoon = await database.query(
      `select id from order_trigger where outcome = 'filled' and level->>'unit' = 'sol'
         and case when level->>'when' = 'below' then fired_price > (level->>'value')::numeric
                  else fired_price < (level->>'value')::numeric end`,
    );
    const ends = await endsOf(database);
    const filled = ends.find(({ outcome }) => outcome === 'filled')?.count ?? 0;
    return {
      kills: Number(kills),
      triggers: placed,
      ends: ends.map(({ outcome, count: number }) => `${outcome} ${number}`),
      tradedTwice: twice.length,
      firedTooSoon: tooSoon.length,
      missed: missed.length,
      pulls,
      broken,
      ok: [broken, twice, tooSoon, missed].every(({ length }) => length === 0) && filled > 0,
    };
  });
}

function endsOf(database: Database): Promise<{ outcome: string; count: number }[]> {
  return database.query(
    `select coalesce(outcome, state) as outcome, count(*)::int as count from order_trigger group by 1 order by 1`,
  );
}

/** Those that wait although their level is passed by what their order would get now. */
async function missedOnes(database: Database, venueUrl: string, mint: Address): Promise<string[]> {
  const venue = new LocalVenue({ url: venueUrl, clock: systemClock });
  const pool = (await venue.pools([mint])).get(mint)!;
  const [token] = await venue.tokens([mint]);
  const scale: PriceScale = {
    decimals: token!.decimals,
    supply: token!.supply,
    solUsdMicro: await venue.solUsdMicro(),
  };
  const open = await loadOpen(database, ['open'], '00000000-0000-0000-0000-000000000000', 100_000);
  const cash = await loadCashAt(
    database,
    open.map(({ bookId, mint: asset }) => ({ bookId, asset })),
  );
  return open
    .filter(({ rule, bookId, retryAt }) => {
      const price = ownPrice(pool, rule.side, sizeOf(rule, cash.get(`${bookId} ${mint}`) ?? 0n));
      return retryAt === null && price !== null && rule.level !== null && isPast(price, rule.level, scale);
    })
    .map(({ id }) => id);
}

/** Stops and targets at many distances, each of a small share, so that most of them have something left to sell. */
function someTriggers(from: number): object[] {
  return Array.from({ length: PER_CALL }, (_, index) => {
    const percent = String(1 + ((from + index) % 40) / 2);
    const kind = (from + index) % 2 === 0 ? 'stop-loss' : 'take-profit';
    return {
      kind,
      level: { unit: 'percent', value: percent },
      amount: { unit: 'percent-bought', value: '1' },
      slippageBps: 3_000,
    };
  });
}

function act(server: KillableServer, user: KillableUser, call: 'tokenTransfer' | 'placeTrigger', request: object) {
  return insist(server.url, call, request, { token: user.token, idempotencyKey: randomUUID() });
}

function wallet(server: KillableServer, user: KillableUser): Promise<Record<string, unknown>> {
  return insist(server.url, 'myWallet', { chainId: '501_1' }, { token: user.token }).then(
    ({ walletInfo }) => walletInfo as Record<string, unknown>,
  );
}

async function move(server: KillableServer, whale: KillableUser, mint: string, round: number): Promise<void> {
  const asking = { token: whale.token, idempotencyKey: randomUUID() };
  if (round % 2 === 1)
    await insist(server.url, 'tokenClose', { tokenContractAddress: mint, slippageBps: 5_000 }, asking);
  else {
    const order = { tokenContractAddress: mint, side: 'buy', amount: '300', slippageBps: 5_000 };
    await insist(server.url, 'tokenTransfer', order, asking);
  }
}
