import { basisPoints, printBasisPoints, type BasisPoints } from '../numbers/basis-points.ts';

/** The Token-2022 extensions that matter to a holder, as read from the mint. Others are `harmless`, unread ones `unreadable`. */
export type MintExtension =
  | { readonly kind: 'transfer-fee'; readonly feeBps: number; readonly canChange: boolean }
  | { readonly kind: 'permanent-delegate' }
  | { readonly kind: 'transfer-hook'; readonly active: boolean }
  | { readonly kind: 'default-frozen' }
  | { readonly kind: 'non-transferable' }
  | { readonly kind: 'pausable' }
  | { readonly kind: 'harmless'; readonly name: string }
  | { readonly kind: 'unreadable'; readonly type: number };

/** Undefined is what could not be read; null is an authority that was given up. */
export type MintFacts = {
  readonly mintAuthority: string | null | undefined;
  readonly freezeAuthority: string | null | undefined;
  readonly extensions: readonly MintExtension[] | undefined;
  readonly topTenShare: BasisPoints | undefined;
  readonly devShare: BasisPoints | undefined;
  readonly ageMs: number | undefined;
  readonly liquidityLamports: bigint | undefined;
};

export type SafetyLevel = 'ok' | 'warn' | 'danger' | 'unknown';

export const SAFETY_KEYS = [
  'mint-authority',
  'freeze-authority',
  'top-10-share',
  'dev-share',
  'extensions',
  'age',
  'liquidity',
] as const;

export type SafetyKey = (typeof SAFETY_KEYS)[number];

export type SafetyBadge = {
  readonly key: SafetyKey;
  readonly level: SafetyLevel;
  /** Percent points for shares, names for extensions, milliseconds for the age, lamports for liquidity; null where unknown. */
  readonly value: string | null;
};

/** What every transfer of a token takes from it, in percent points; `canChange` where somebody may still raise it. */
export type TransferTax = { readonly percent: string; readonly canChange: boolean };

const HOUR_MS = 3_600_000;
const SOL = 1_000_000_000n;

export function safetyBadges(facts: MintFacts): SafetyBadge[] {
  return [
    authorityBadge('mint-authority', facts.mintAuthority),
    authorityBadge('freeze-authority', facts.freezeAuthority),
    shareBadge('top-10-share', facts.topTenShare, 2_500n, 5_000n),
    shareBadge('dev-share', facts.devShare, 500n, 1_500n),
    extensionsBadge(facts.extensions),
    thresholdBadge(
      'age',
      facts.ageMs === undefined ? undefined : BigInt(Math.trunc(facts.ageMs)),
      BigInt(24 * HOUR_MS),
      BigInt(HOUR_MS),
    ),
    thresholdBadge('liquidity', facts.liquidityLamports, 50n * SOL, 5n * SOL),
  ];
}

/** The worst of all badges, as one word for a list. Unknown is worse than fine and better than a known problem. */
export function overallSafety(badges: readonly SafetyBadge[]): SafetyLevel {
  const order: readonly SafetyLevel[] = ['danger', 'warn', 'unknown', 'ok'];
  return order.find((level) => badges.some((badge) => badge.level === level)) ?? 'unknown';
}

/** Null for a token that takes nothing and never will, and where it was not read. */
export function transferTaxOf(extensions: readonly MintExtension[] | undefined): TransferTax | null {
  const fee = extensions?.find((extension) => extension.kind === 'transfer-fee');
  if (!fee || levelOf(fee) === 'ok') return null;
  return { percent: printBasisPoints(basisPoints(fee.feeBps)), canChange: fee.canChange };
}

function levelOf(extension: MintExtension): SafetyLevel {
  switch (extension.kind) {
    case 'transfer-fee':
      return extension.feeBps > 0 || extension.canChange ? 'danger' : 'ok';
    case 'transfer-hook':
      return extension.active ? 'danger' : 'ok';
    case 'permanent-delegate':
    case 'non-transferable':
    case 'default-frozen':
    case 'pausable':
      return 'danger';
    case 'unreadable':
      return 'unknown';
    case 'harmless':
      return 'ok';
    default:
      return extension satisfies never;
  }
}

function authorityBadge(key: 'mint-authority' | 'freeze-authority', authority: string | null | undefined): SafetyBadge {
  if (authority === undefined) return { key, level: 'unknown', value: null };
  if (authority === null) return { key, level: 'ok', value: null };
  return { key, level: key === 'freeze-authority' ? 'danger' : 'warn', value: authority };
}

function shareBadge(key: SafetyKey, share: BasisPoints | undefined, warnFrom: bigint, dangerFrom: bigint): SafetyBadge {
  if (share === undefined) return { key, level: 'unknown', value: null };
  const calm = share >= warnFrom ? 'warn' : 'ok';
  return { key, level: share >= dangerFrom ? 'danger' : calm, value: printBasisPoints(share) };
}

function thresholdBadge(key: SafetyKey, amount: bigint | undefined, okFrom: bigint, warnFrom: bigint): SafetyBadge {
  if (amount === undefined) return { key, level: 'unknown', value: null };
  const low = amount >= warnFrom ? 'warn' : 'danger';
  return { key, level: amount >= okFrom ? 'ok' : low, value: amount.toString() };
}

function extensionsBadge(extensions: readonly MintExtension[] | undefined): SafetyBadge {
  const key = 'extensions';
  if (extensions === undefined) return { key, level: 'unknown', value: null };
  const dangerous = extensions.filter((extension) => levelOf(extension) === 'danger');
  if (dangerous.length > 0) return { key, level: 'danger', value: dangerous.map(({ kind }) => kind).join(', ') };
  const isUnread = extensions.some((extension) => levelOf(extension) === 'unknown');
  return { key, level: isUnread ? 'unknown' : 'ok', value: null };
}
