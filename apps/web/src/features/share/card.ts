// What a share card says. Percentages and prices only, unless the user chose to show amounts.
import type { CallReply } from '@hunter/contract/calls';
import { compareDecimals, divideDecimals } from '@hunter/domain/numbers/decimal';
import { formatPercent } from '@hunter/domain/format/format-percent';
import { formatPrice, isPriced } from '@hunter/domain/format/format-price';
import { formatSol, formatSolChange } from '@hunter/domain/format/format-sol';
import type { Translate } from '../../i18n/i18n.ts';
import { asLoss } from '../../ui/as-loss.ts';
import { shortAddress } from '../../ui/short-address.ts';

export type Tone = 'up' | 'down' | 'plain';
export type CardLine = { label: string; value: string; tone: Tone };
export type Card = {
  title: string;
  subtitle: string;
  headline: CardLine;
  lines: readonly CardLine[];
  /** Where the figures can be recomputed; null where that is not possible. */
  link: string | null;
  /** Short enough to compare by eye; the page behind the link shows it again. */
  code: string | null;
};

export type SharedPosition = CallReply<'getMyPositions'>['lists'][number];
export type SharedStrategy = CallReply<'getStrategyDetail'>;
/** The signatures behind a position, as `proof-link.ts` makes them into a link. */
export type Proof = { link: string; code: string | null };

export function toneOf(value: string | null): Tone {
  const side = value === null ? 0 : compareDecimals(value, '0');
  return side > 0 ? 'up' : side < 0 ? 'down' : 'plain';
}

const plain = (label: string, value: string): CardLine => ({ label, value, tone: 'plain' });

/** In SOL for one token, with the digits that matter; more than two zeros before them are counted, as on every page. */
function perToken(sol: string | null, tokens: string | null): string {
  if (sol === null || tokens === null || compareDecimals(tokens, '0') <= 0) return '-';
  const price = divideDecimals(sol, tokens, 18, 'nearest');
  return isPriced(price) ? `${formatPrice(price).replace('$', '')} SOL` : '-';
}

export function positionCard(
  position: SharedPosition,
  proof: Proof | null,
  { t, showAmounts }: { t: Translate; showAmounts: boolean },
): Card {
  const { amount, boughtAmount, cost, value, unrealizedProfit, unrealizedPercent } = position;
  return {
    title: position.tokenSymbol,
    subtitle: position.tokenName,
    headline: {
      label: t('share.unrealized'),
      value: formatPercent(unrealizedPercent),
      tone: toneOf(unrealizedPercent),
    },
    lines: [
      plain(t('share.entryPrice'), perToken(cost, boughtAmount)),
      plain(t('share.priceNow'), perToken(value, amount)),
      ...(showAmounts
        ? [
            plain(t('share.invested'), formatSol(cost)),
            { label: t('share.profit'), value: formatSolChange(unrealizedProfit), tone: toneOf(unrealizedProfit) },
          ]
        : []),
    ],
    link: proof?.link ?? null,
    code: proof?.code ?? null,
  };
}

/** All of it is public; amounts are left out all the same unless they were asked for. */
export function strategyCard(
  strategy: SharedStrategy,
  origin: string,
  { t, showAmounts }: { t: Translate; showAmounts: boolean },
): Card {
  const { yieldRate, followerReturn, maxDrawdown, winRate, closedTrades, unsoldAtLoss } = strategy;
  const sample = t(strategy.followerReturnEarly ? 'share.sampleEarly' : 'share.sample', {
    count: strategy.followerSample,
  });
  const won =
    winRate === null
      ? '-'
      : `${formatPercent(winRate).replace('+', '')} · ${t('share.closed', { count: closedTrades })}`;
  return {
    title: strategy.name,
    subtitle: t('share.by', { name: strategy.creator.name }),
    headline: { label: t('share.yieldRate'), value: formatPercent(yieldRate), tone: toneOf(yieldRate) },
    lines: [
      { label: t('share.followerMedian'), value: formatPercent(followerReturn), tone: toneOf(followerReturn) },
      ...(followerReturn === null ? [] : [plain(t('share.basedOn'), sample)]),
      { label: t('share.maxDrawdown'), value: formatPercent(asLoss(maxDrawdown)), tone: toneOf(asLoss(maxDrawdown)) },
      plain(t('share.winRate'), won),
      ...(unsoldAtLoss > 0 ? [plain(t('share.unsoldAtLoss'), String(unsoldAtLoss))] : []),
      ...(showAmounts ? [plain(t('share.funds'), formatSol(strategy.copyTradeFunds))] : []),
    ],
    link: `${origin}/verify?strategy=${encodeURIComponent(strategy.slug)}`,
    code: shortAddress(strategy.verify.wallet),
  };
}
