import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';

export type TradeSide = 'buy' | 'sell';

export function SideTabs({ side, onSide }: { side: TradeSide; onSide: (side: TradeSide) => void }) {
  const t = useT();
  return (
    <div
      role="radiogroup"
      aria-label={t('trade.side')}
      className="grid grid-cols-2 gap-0.5 rounded-m border border-line bg-surface p-[3px]"
    >
      {(['buy', 'sell'] as const).map((each) => (
        <label
          key={each}
          className={classNames(
            'relative grid h-8 cursor-pointer place-items-center rounded-[7px] font-semibold text-muted hover:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent-text pointer-coarse:h-11',
            each === 'buy'
              ? 'has-checked:bg-up-soft has-checked:text-up'
              : 'has-checked:bg-down-soft has-checked:text-down',
          )}
        >
          <input
            type="radio"
            name="trade-side"
            className="absolute inset-0 m-0 cursor-pointer opacity-0"
            checked={side === each}
            onChange={() => onSide(each)}
          />
          {t(each === 'buy' ? 'trade.buy' : 'trade.sell')}
        </label>
      ))}
    </div>
  );
}
