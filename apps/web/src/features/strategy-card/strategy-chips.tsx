import { useT } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';

/** The one thing about a strategy that concerns the reader most: theirs, followed by them, or no longer running. */
export function StateChip({
  strategy,
}: {
  strategy: { status: 'publishing' | 'running' | 'ending' | 'ended'; following: boolean; mine: boolean };
}) {
  const t = useT();
  if (strategy.following) {
    return (
      <Chip tone="accent" className="shrink-0">
        <span className="size-1.5 rounded-full bg-current" aria-hidden="true" />
        <span data-testid="following-marker">{t('strategies.card.following')}</span>
      </Chip>
    );
  }
  if (strategy.status !== 'running') {
    return <Chip className="shrink-0">{t(`strategies.card.${strategy.status}`)}</Chip>;
  }
  if (strategy.mine) {
    return (
      <Chip tone="gold" className="shrink-0">
        {t('strategies.card.mine')}
      </Chip>
    );
  }
  return null;
}
