import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { curveProgress, type DiscoverFigures } from '@hunter/domain/market/discover';
import { bundledOf, isLaunchKnown, isWalletAgeKnown, type HeldBy } from '@hunter/domain/market/holder-kind';
import type { RiskOf } from './hot-token.ts';
import { changeOf, countsOf, dayChangeOf, volumeOf, type BoardRow, type KnownPeriod } from './token-board.ts';
import { printChange, printVolume, tokenListItem } from './token-views.ts';

type DiscoverToken = CallReply<'getTokenDiscover'>['lists'][number];

const SHARE_DECIMALS = 4;
const SHARE_UNIT = 100n * 10n ** BigInt(SHARE_DECIMALS);
const MINUTE_MS = 60_000;

export type DiscoverRow = {
  row: BoardRow;
  figures: DiscoverFigures;
  stage: DiscoverToken['stage'];
  kinds: Record<'snipers' | 'bundlers' | 'insiders' | 'freshWallets', HeldBy | null>;
  /** Ten-thousandths of a percent point. */
  sinceLaunch: bigint | null;
};

/** A row as it is filtered and sorted. Ages are of `nowMs`. */
export function discoverRow(
  row: BoardRow,
  known: KnownPeriod,
  creatorTokens: number | null,
  nowMs: number,
): DiscoverRow {
  const launchedAtMs = row.createdAt.getTime();
  const isSeen = isLaunchKnown(launchedAtMs, row.recordedSinceMs);
  const launchSlot = isSeen ? heldBy(row.launchSlotWallets, row.launchSlotUnits) : null;
  const kinds = {
    snipers: isSeen ? heldBy(row.sniperWallets, row.sniperUnits) : null,
    bundlers: launchSlot && bundledOf(launchSlot),
    insiders: heldBy(row.insiderWallets, row.insiderUnits),
    freshWallets: isWalletAgeKnown(nowMs, row.recordedSinceMs) ? heldBy(row.freshWallets, row.freshUnits) : null,
  };
  const sinceLaunch = isSeen ? changeFrom(row.firstPriceUsd, row.priceUsd) : null;
  const counts = countsOf(row, known);
  const shareOf = (units: bigint | null) => share(units, row.supply);
  const stage = row.curveLamports === null ? null : row.graduatedAt === null ? 'curve' : 'graduated';
  return {
    row,
    kinds,
    stage,
    sinceLaunch,
    figures: {
      marketCap: row.marketCap,
      liquidity: row.liquidity,
      volume: volumeOf(row, known),
      change: changeFigure(row, known, sinceLaunch),
      trades: counts === null ? null : BigInt(counts.buys + counts.sells),
      holders: BigInt(row.holders),
      age: BigInt(Math.max(0, Math.floor((nowMs - launchedAtMs) / MINUTE_MS))),
      top10: shareOf(row.topTenUnits),
      creatorShare: shareOf(row.creatorUnits),
      creatorTokens: creatorTokens === null ? null : BigInt(creatorTokens),
      snipers: shareOf(kinds.snipers?.units ?? null),
      bundlers: shareOf(kinds.bundlers?.units ?? null),
      insiders: shareOf(kinds.insiders?.units ?? null),
      freshWallets: shareOf(kinds.freshWallets?.units ?? null),
      provenTraders: row.provenTraders === null ? null : BigInt(row.provenTraders),
      fees: row.feesLamports,
      curve:
        row.curveLamports === null
          ? null
          : stage === 'graduated'
            ? SHARE_UNIT
            : curveProgress(row.poolLamports, row.curveLamports),
    },
  };
}

export function printDiscovered(
  { row, figures, kinds, stage, sinceLaunch }: DiscoverRow,
  known: KnownPeriod,
  riskOf: RiskOf,
) {
  const printKind = (kind: HeldBy | null) =>
    kind && { wallets: kind.wallets, share: printShare(share(kind.units, row.supply)) ?? '0' };
  return {
    ...tokenListItem({ ...row, change24h: dayChangeOf(row, known) }),
    volume: printVolume(figures.volume),
    periodChange: printChange(changeOf(row, known)),
    ...(countsOf(row, known) ?? { buys: null, sells: null }),
    changeSinceLaunch: printShare(sinceLaunch),
    trend: row.trend,
    risk: riskOf(row.mint, row.nameFlags),
    createdAt: row.createdAt.getTime(),
    creator: row.creator,
    top10: printShare(figures.top10),
    creatorShare: printShare(figures.creatorShare),
    creatorTokens: figures.creatorTokens === null ? null : Number(figures.creatorTokens),
    snipers: printKind(kinds.snipers),
    bundlers: printKind(kinds.bundlers),
    insiders: printKind(kinds.insiders),
    freshWallets: printKind(kinds.freshWallets),
    provenTraders: row.provenTraders,
    fees: row.feesLamports === null ? null : printDecimal(row.feesLamports, 9),
    stage,
    curve: printShare(figures.curve),
    graduatedAt: row.graduatedAt?.getTime() ?? null,
    links: row.links,
  } satisfies DiscoverToken;
}

/** A token younger than the period has changed since its launch. */
function changeFigure(row: BoardRow, known: KnownPeriod, sinceLaunch: bigint | null): bigint | null {
  const change = changeOf(row, known);
  if (change !== null) return BigInt(Math.round(change * 10_000));
  return known.hasChanges ? sinceLaunch : null;
}

function heldBy(wallets: number | null, units: bigint | null): HeldBy | null {
  return wallets === null || units === null ? null : { wallets, units };
}

/** Of the supply, rounded down; at most all of it. */
function share(units: bigint | null, supply: bigint): bigint | null {
  if (units === null || supply === 0n) return null;
  const found = (units * SHARE_UNIT) / supply;
  return found > SHARE_UNIT ? SHARE_UNIT : found;
}

function changeFrom(first: bigint | null, now: bigint): bigint | null {
  return first === null || first === 0n ? null : (now * SHARE_UNIT) / first - SHARE_UNIT;
}

function printShare(value: bigint | null): string | null {
  return value === null ? null : printDecimal(value, SHARE_DECIMALS);
}
