import { useT } from '../i18n/i18n.ts';
import { Percent } from './numbers.tsx';

/** A win rate never stands without its sample. */
export function WinRate({ figures }: { figures: { winRate: string | null; wonTrades: number; closedTrades: number } }) {
  const t = useT();
  return (
    <span className="inline-flex flex-col items-end leading-tight">
      <Percent value={figures.winRate} tone={false} />
      <span className="num text-xs font-normal text-faint">
        {figures.closedTrades === 0
          ? t('ui.noClosedTrade')
          : t('ui.wonOfClosed', { won: figures.wonTrades, closed: figures.closedTrades })}
      </span>
    </span>
  );
}
