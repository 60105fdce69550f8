import { useT } from '../../i18n/i18n.ts';
import { joinSentences } from '../../i18n/join-sentences.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { Explain } from '../../ui/explain.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import type { Strategy } from './strategy.ts';

/** What a new strategy lacks: "6 trips, 2 coins to go". */
export function missingText(missing: Strategy['missing'], t: Translate): string {
  return missingTexts(missing, t).join(t('strategies.missing.also'));
}

/** First what can be had by trading on. */
function missingTexts(missing: Strategy['missing'], t: Translate): string[] {
  const counted = missing.flatMap(({ condition, count }) =>
    condition === 'equity' ? [] : [t(`strategies.missing.${condition}`, { count: count ?? 0 })],
  );
  return [
    ...(counted.length > 0 ? [t('strategies.missing.toGo', { list: counted.join(t('strategies.missing.and')) })] : []),
    ...(missing.some(({ condition }) => condition === 'equity') ? [t('strategies.missing.equity')] : []),
  ];
}

/** A score with two decimals; it is a statistic and has no unit. */
export function scoreText(score: string): string {
  // A loss that rounds to nothing would keep its minus.
  return Number(score)
    .toFixed(2)
    .replace(/^-(0\.00)$/, '$1');
}

/** Ranked with the score, or new with what is missing; the explanation says what both mean. */
export function TierBadge({
  strategy,
  className,
}: {
  strategy: Pick<Strategy, 'tier' | 'missing' | 'score' | 'status'>;
  className?: string;
}) {
  const t = useT();
  const { tier, score } = strategy;
  // What an ended strategy lacks it can no longer get.
  const missing = strategy.status === 'ended' ? [] : strategy.missing;
  const ranked = tier === 'ranked';
  const beside = ranked
    ? score !== null && t('strategies.card.score', { score: scoreText(score) })
    : missingTexts(missing, t)[0];
  return (
    <Explain
      title={t(`strategies.tier.${tier}`)}
      text={
        ranked
          ? joinSentences([t('strategies.tierText.ranked'), t('strategies.scoreHint')])
          : joinSentences([t('strategies.tierText.new'), missingText(missing, t)])
      }
    >
      <button
        type="button"
        data-testid="tier-badge"
        className={classNames('flex max-w-full min-w-0 items-center gap-1.5 rounded-md text-sm', className)}
      >
        <span
          className={classNames(
            'shrink-0 rounded-full px-[9px] py-0.5 text-xs font-[550]',
            ranked ? 'bg-accent-soft text-accent-text' : 'bg-hover text-muted',
          )}
        >
          {t(`strategies.tier.${tier}`)}
        </span>
        {/* In one line: the explanation has all that is missing. */}
        {beside && <span className="truncate text-muted">{beside}</span>}
        <InfoIcon size={12} className="shrink-0 text-faint" />
      </button>
    </Explain>
  );
}
