import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { Address } from '@hunter/domain/address';
import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { COPY_MINIMUM_LAMPORTS, type FollowMode } from '@hunter/domain/copying/copying';
import { printPercentOf } from '@hunter/domain/numbers/decimal';
import { drawdownAfter, drawdownStart, maximumDrawdown } from '@hunter/domain/record/drawdown';
import { planFollow } from '@hunter/domain/copying/follow-plan';
import type { FollowSettings } from '@hunter/domain/copying/follow-protection';
import { lamports, printSol, type Lamports } from '@hunter/domain/numbers/lamports';
import { printRatePercent, rateOf, type Rate } from '@hunter/domain/numbers/rate';
import { larger } from '@hunter/domain/numbers/rounding';
import {
  simulateFollow,
  valuedHoldings,
  type PoolMark,
  type SimulatedFollow,
  type SimulatedStart,
} from '@hunter/domain/copying/simulated-follow';
import { loadBookRounds } from '../../trading/rounds/book-rounds.ts';
import type { Pools } from '../book-holdings.ts';
import { NETWORK_FEE_LAMPORTS } from '../costs.ts';
import { parseMultiplier } from '../follow-strategy.ts';
import { chooseSettings, DEFAULT_SETTINGS, settingsOf } from '../follow-settings.ts';
import { joinLimits } from '../plan-follow.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategy, type Strategy } from '../strategy-store.ts';
import { KEPT_DAYS, loadPoolMarks } from './pool-marks.ts';
import { withMarkets, type PastRound } from './round-market.ts';
import { reasonsOf, thin } from './simulated-view.ts';

const DAY_MS = 86_400_000;
/** What began less than a minute ago began in the pools of now: those of the past are kept once a minute. */
const YOUNG_MS = 60_000;

export type SimulationRequest = {
  mode: FollowMode;
  amountLamports: Lamports;
  multiplierBps: bigint;
  settings: FollowSettings;
  sinceMs: number;
  /** Null is now, or the strategy's end. */
  untilMs: number | null;
};

type NavPoint = { at: Date; nav: Rate; equity: Lamports };

export type Simulation = { result: SimulatedFollow; navs: readonly NavPoint[]; sinceMs: number; untilMs: number };

export async function simulate(
  deps: Strategies,
  request: CallParsedRequest<'simulateFollow'>,
): Promise<CallReply<'simulateFollow'>> {
  const strategy = await loadStrategy(deps.database, request.slug);
  const nowMs = deps.clock.nowMs();
  const sinceMs = request.since ?? strategy.publishedAt.getTime();
  if (sinceMs > nowMs) throw new AppError('INVALID_INPUT', { field: 'since', reason: 'range' });
  const simulation = await runSimulation(deps, strategy, {
    mode: request.mode,
    amountLamports: request.amount,
    multiplierBps: parseMultiplier(request.multiplier),
    settings: settingsOf(chooseSettings(DEFAULT_SETTINGS, request.protection)),
    sinceMs,
    untilMs: null,
  });
  return viewSimulation(request.slug, request.mode, request.amount, simulation);
}

/** Replays one follow over what the strategy really did. */
export async function runSimulation(
  deps: Strategies,
  strategy: Strategy,
  request: SimulationRequest,
): Promise<Simulation> {
  const { database, clock } = deps;
  const nowMs = clock.nowMs();
  const untilMs = Math.min(request.untilMs ?? nowMs, strategy.endedAt?.getTime() ?? nowMs);
  const past = await withMarkets(database, await loadBookRounds(database, strategy.bookId));
  const undecided = past.findLast(({ simulated }) => simulated === null)?.round.at.getTime() ?? 0;
  const sinceMs = Math.min(
    untilMs,
    Math.max(request.sinceMs, strategy.publishedAt.getTime(), undecided, nowMs - KEPT_DAYS * DAY_MS),
  );
  const mints = [...new Set(past.map(({ round }) => round.mint))];
  const navs = await loadNavs(deps, strategy.id, sinceMs, untilMs);
  const marks = await loadMarks(deps, mints, sinceMs, untilMs, nowMs);
  const { mode, amountLamports, multiplierBps, settings } = request;
  const start: SimulatedStart = {
    atMs: sinceMs,
    mode,
    multiplierBps,
    amountLamports,
    settings,
    networkFeeLamports: NETWORK_FEE_LAMPORTS,
    purchases: mode === 'sol' ? firstPurchases(request, past, marks, navs[0], sinceMs) : [],
  };
  const rounds = past.flatMap(({ simulated }) => (simulated === null || simulated.atMs > untilMs ? [] : [simulated]));
  return { result: simulateFollow(start, rounds, marks), navs, sinceMs, untilMs };
}

/** Once a minute from the past, and the live pools where the replay begins or ends now. */
async function loadMarks(
  { database, pools }: Strategies,
  mints: readonly Address[],
  sinceMs: number,
  untilMs: number,
  nowMs: number,
): Promise<PoolMark[]> {
  const past = await loadPoolMarks(database, mints, sinceMs, untilMs);
  const live: Pools = untilMs < nowMs ? new Map() : await pools.load(mints).catch(() => new Map());
  const markAt = (atMs: number): PoolMark => ({ atMs, pools: live });
  const isYoung = live.size > 0 && sinceMs > nowMs - YOUNG_MS;
  return isYoung ? [markAt(sinceMs), markAt(untilMs)] : [...past, markAt(untilMs)];
}

/** The strategy's weights at the start, bought in the pools of that minute. */
function firstPurchases(
  { amountLamports, settings }: SimulationRequest,
  past: readonly PastRound[],
  marks: readonly PoolMark[],
  nav: NavPoint | undefined,
  sinceMs: number,
): SimulatedStart['purchases'] {
  const pools: PoolMark['pools'] = (marks.findLast(({ atMs }) => atMs <= sinceMs) ?? marks[0])?.pools ?? new Map();
  const before = past.filter(({ round }) => round.at.getTime() <= sinceMs);
  const positions = valuedHoldings(holdingsOf(before), pools);
  const inCoins = positions.reduce((sum, { liquidationLamports }) => sum + liquidationLamports, 0n);
  const plan = planFollow({
    amountLamports,
    feeLamports: NETWORK_FEE_LAMPORTS,
    minimumLamports: COPY_MINIMUM_LAMPORTS,
    strategyFreeLamports: lamports(larger(0n, (nav?.equity ?? 0n) - inCoins)),
    strategyPositions: positions.map(({ mint, liquidationLamports, spot }) => {
      const last = before.findLast(({ round }) => round.mint === mint && round.side === 'buy')!;
      const ageMs = (last.simulated?.coinAgeMs ?? 0) + sinceMs - last.round.at.getTime();
      // The reference price of that minute was not kept: what joining pays is held against the pool's own price.
      const limits = joinLimits(settings, amountLamports, { ageMs, reference: spot }, pools.get(mint)!);
      return { mint, liquidationLamports, refusal: last.simulated?.refusal ?? null, limits };
    }),
  });
  return plan.purchases;
}

function holdingsOf(past: readonly PastRound[]): Map<Address, BaseUnits> {
  const tokens = new Map<Address, BaseUnits>();
  for (const { round } of past) {
    const mint = round.mint;
    const change = round.side === 'buy' ? round.filledOut : -round.filledIn;
    tokens.set(mint, baseUnits(larger(0n, (tokens.get(mint) ?? 0n) + change)));
  }
  return tokens;
}

/** The first is the last before the start where there is one. */
function loadNavs({ database }: Strategies, strategyId: string, sinceMs: number, untilMs: number): Promise<NavPoint[]> {
  return database.query<NavPoint>(
    `(select at, nav, equity_lamports as equity from nav_point where strategy_id = $1 and at <= $2 order by at desc, id desc limit 1)
     union all
     (select at, nav, equity_lamports from nav_point where strategy_id = $1 and at > $2 and at <= $3 order by at, id)`,
    [strategyId, new Date(sinceMs), new Date(untilMs)],
  );
}

export function viewSimulation(
  slug: string,
  mode: FollowMode,
  amount: Lamports,
  { result, navs, sinceMs, untilMs }: Simulation,
): CallReply<'simulateFollow'> {
  const { points, receipts, endedBy } = result;
  const equity = points.at(-1)!.equityLamports;
  const change = (value: bigint) => printPercentOf(value - amount, amount, 4, 'nearest');
  const first = navs[0]?.nav ?? null;
  const strategyChange = (nav: Rate) => printRatePercent(first === null ? null : rateOf(nav - first, first));
  const copies = receipts.filter(({ amountIn }) => amountIn > 0n);
  const values = points.map(({ equityLamports }) => rateOf(equityLamports, amount));
  const drawdown = values.slice(1).reduce(drawdownAfter, drawdownStart(values[0]!));
  return {
    slug,
    mode,
    amount: printSol(amount),
    since: sinceMs,
    until: untilMs,
    equity: printSol(equity),
    pnl: printSol(equity - amount),
    changeRate: change(equity),
    strategyChangeRate: navs.length === 0 ? null : strategyChange(navs.at(-1)!.nav),
    maxDrawdown: printRatePercent(maximumDrawdown(drawdown)),
    networkFees: printSol(result.networkFeesLamports),
    endedBy: endedBy?.reason ?? null,
    endedAt: endedBy?.atMs ?? null,
    copied: copies.length,
    limited: copies.filter(({ reason }) => reason !== null).length,
    skipped: receipts.length - copies.length,
    reasons: reasonsOf(receipts),
    lists: thin(points).map(({ atMs, equityLamports }) => ({ t: atMs, changeRate: change(equityLamports) })),
    strategy: thin(navs).map(({ at, nav }) => ({
      t: Math.max(sinceMs, at.getTime()),
      changeRate: strategyChange(nav)!,
    })),
  };
}
