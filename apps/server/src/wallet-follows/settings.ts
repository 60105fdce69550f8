import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { basisPoints } from '@hunter/domain/numbers/basis-points';
import { parseDecimal, printDecimal } from '@hunter/domain/numbers/decimal';
import { COIN_CAP_DEFAULT_BPS, RUN_UP_DEFAULT_BPS } from '@hunter/domain/copying/follow-protection';
import { lamports, printSol } from '@hunter/domain/numbers/lamports';
import type { WalletFollowSettings } from '@hunter/domain/wallet-follows/wallet-follow';

/** As the database keeps them: amounts in lamports and shares in basis points, as text and numbers of JSON. */
export type SettingsJson = {
  size: { kind: 'fixed'; lamports: string } | { kind: 'share'; bps: number };
  copies: 'both' | 'buys' | 'sells';
  buyMin: string | null;
  buyMax: string | null;
  firstBuyOnly: boolean;
  excludedTokens: string[];
  excludedHours: number[];
  transfersAreExits: boolean;
  capPerTrade: string | null;
  capPerToken: string | null;
  maxGapBps: number;
  waitMinutes: number;
  runUpBps: number;
  coinCapBps: number | null;
};

export const DEFAULT_SETTINGS: SettingsJson = {
  size: { kind: 'fixed', lamports: '100000000' },
  copies: 'both',
  buyMin: null,
  buyMax: null,
  firstBuyOnly: false,
  excludedTokens: [],
  excludedHours: [],
  transfersAreExits: true,
  capPerTrade: null,
  capPerToken: null,
  maxGapBps: 300,
  waitMinutes: 0,
  runUpBps: RUN_UP_DEFAULT_BPS,
  coinCapBps: COIN_CAP_DEFAULT_BPS,
};

type Chosen = CallParsedRequest<'followWallet'>['settings'];

const BOUNDS_BPS = {
  'size.share': [1, 100_000],
  maxGap: [50, 2_000],
  runUpLimit: [100, 1_000],
  coinCap: [100, 10_000],
} as const;

function bpsOf(field: keyof typeof BOUNDS_BPS, text: string): number {
  const value = Number(parseDecimal(text, 2));
  const [least, most] = BOUNDS_BPS[field];
  if (value < least || value > most) throw new AppError('INVALID_INPUT', { field, reason: 'range' });
  return value;
}

/** What was not chosen stays as it was. Throws INVALID_INPUT, naming the field, for what is out of bounds. */
export function chooseSettings(before: SettingsJson, chosen: Chosen): SettingsJson {
  const kept = <Value>(next: Value | undefined, was: Value): Value => (next === undefined ? was : next);
  const amount = (next: bigint | null | undefined, was: string | null): string | null =>
    next === undefined ? was : next === null ? null : String(next);
  const { size } = chosen;
  const next: SettingsJson = {
    size:
      size === undefined
        ? before.size
        : size.kind === 'fixed'
          ? { kind: 'fixed', lamports: String(size.amount) }
          : { kind: 'share', bps: bpsOf('size.share', size.share) },
    copies: kept(chosen.copies, before.copies),
    buyMin: amount(chosen.buyMin, before.buyMin),
    buyMax: amount(chosen.buyMax, before.buyMax),
    firstBuyOnly: kept(chosen.firstBuyOnly, before.firstBuyOnly),
    excludedTokens: kept(chosen.excludedTokens, before.excludedTokens),
    excludedHours: kept(chosen.excludedHours, before.excludedHours),
    transfersAreExits: kept(chosen.transfersAreExits, before.transfersAreExits),
    capPerTrade: amount(chosen.capPerTrade, before.capPerTrade),
    capPerToken: amount(chosen.capPerToken, before.capPerToken),
    maxGapBps: chosen.maxGap === undefined ? before.maxGapBps : bpsOf('maxGap', chosen.maxGap),
    waitMinutes: kept(chosen.waitMinutes, before.waitMinutes),
    runUpBps: chosen.runUpLimit === undefined ? before.runUpBps : bpsOf('runUpLimit', chosen.runUpLimit),
    coinCapBps:
      chosen.coinCap === undefined
        ? before.coinCapBps
        : chosen.coinCap === null
          ? null
          : bpsOf('coinCap', chosen.coinCap),
  };
  if (next.buyMin !== null && next.buyMax !== null && BigInt(next.buyMin) > BigInt(next.buyMax)) {
    throw new AppError('INVALID_INPUT', { field: 'settings.buyMax', reason: 'range' });
  }
  return next;
}

const sol = (text: string | null) => (text === null ? null : lamports(BigInt(text)));

export function rulesOf(json: SettingsJson): WalletFollowSettings {
  return {
    size:
      json.size.kind === 'fixed'
        ? { kind: 'fixed', lamports: lamports(BigInt(json.size.lamports)) }
        : { kind: 'share', shareBps: BigInt(json.size.bps) },
    copies: json.copies,
    buyMinLamports: sol(json.buyMin),
    buyMaxLamports: sol(json.buyMax),
    firstBuyOnly: json.firstBuyOnly,
    excludedMints: json.excludedTokens,
    excludedHours: json.excludedHours,
    capPerTokenLamports: sol(json.capPerToken),
    maxGap: basisPoints(json.maxGapBps),
    protection: {
      runUpLimit: basisPoints(json.runUpBps),
      coinCap: json.coinCapBps === null ? null : basisPoints(json.coinCapBps),
      capPerTradeLamports: sol(json.capPerTrade),
      stopLoss: null,
      takeProfit: null,
    },
  };
}

export function printSettings(json: SettingsJson): CallReply<'followWallet'>['settings'] {
  const points = (bps: number): string => printDecimal(BigInt(bps), 2);
  const printed = (text: string | null): string | null => (text === null ? null : printSol(BigInt(text)));
  return {
    size:
      json.size.kind === 'fixed'
        ? { kind: 'fixed', amount: printSol(BigInt(json.size.lamports)) }
        : { kind: 'share', share: points(json.size.bps) },
    copies: json.copies,
    buyMin: printed(json.buyMin),
    buyMax: printed(json.buyMax),
    firstBuyOnly: json.firstBuyOnly,
    excludedTokens: json.excludedTokens,
    excludedHours: json.excludedHours,
    transfersAreExits: json.transfersAreExits,
    capPerTrade: printed(json.capPerTrade),
    capPerToken: printed(json.capPerToken),
    maxGap: points(json.maxGapBps),
    waitMinutes: json.waitMinutes,
    runUpLimit: points(json.runUpBps),
    coinCap: json.coinCapBps === null ? null : points(json.coinCapBps),
  };
}
