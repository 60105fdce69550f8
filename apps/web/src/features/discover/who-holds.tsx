import { formatPercent } from '@hunter/domain/format/format-percent';
import { memo } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import type { DiscoverToken } from './discover-token.ts';

export const holderFigures = [
  'top10',
  'creatorShare',
  'creatorTokens',
  'snipers',
  'bundlers',
  'insiders',
  'freshWallets',
  'provenTraders',
] as const;
type HolderFigure = (typeof holderFigures)[number];

/** One letter each, in every language; the page says what they stand for. */
export const holderLetters: Readonly<Record<HolderFigure, string>> = {
  top10: 'T',
  creatorShare: 'D',
  creatorTokens: 'N',
  snipers: 'S',
  bundlers: 'B',
  insiders: 'I',
  freshWallets: 'F',
  provenTraders: 'P',
};

/** From these percents on a share is worth a second look, and a warning. */
const LEVELS: Partial<Record<HolderFigure, readonly [warn: number, danger: number]>> = {
  top10: [25, 50],
  creatorShare: [5, 15],
  snipers: [5, 15],
  bundlers: [5, 15],
  insiders: [5, 15],
  freshWallets: [25, 60],
};

type Shown = { text: string; spoken: string; tone: string };

/** One letter and one figure each; the whole words on hover and for those who do not see them. */
export const WhoHolds = memo(function WhoHolds({ token, className }: { token: DiscoverToken; className?: string }) {
  const t = useT();
  return (
    <span className={classNames('grid grid-cols-4 gap-1', className)}>
      {holderFigures.map((figure) => {
        const { text, spoken, tone } = shown(figure, token, t);
        const label = `${t(`discover.field.${figure}`)}: ${spoken}`;
        return (
          <span
            key={figure}
            role="img"
            aria-label={label}
            title={label}
            className={classNames('num rounded-[5px] px-1 text-center text-2xs leading-[18px] font-semibold', tone)}
          >
            {`${holderLetters[figure]} ${text}`}
          </span>
        );
      })}
    </span>
  );
});

const PLAIN = 'bg-hover text-muted';

function shown(figure: HolderFigure, token: DiscoverToken, t: Translate): Shown {
  const value = token[figure];
  if (value === null) return { text: '?', spoken: t('discover.unknown'), tone: 'bg-hover text-faint' };
  if (typeof value === 'number') {
    const tone = figure === 'provenTraders' && value > 0 ? 'bg-accent-soft text-accent-text' : PLAIN;
    return { text: String(value), spoken: String(value), tone };
  }
  const share = typeof value === 'string' ? value : value.share;
  const text = `${Math.round(Number(share))}%`;
  const exact = formatPercent(share).replace(/^\+/, '');
  const wallets = typeof value === 'string' ? '' : ` · ${t('discover.wallets', { count: value.wallets })}`;
  return { text, spoken: `${exact}${wallets}`, tone: toneOf(figure, Number(share)) };
}

function toneOf(figure: HolderFigure, percent: number): string {
  const [warn, danger] = LEVELS[figure] ?? [Infinity, Infinity];
  if (percent >= danger) return 'bg-down-soft text-down';
  return percent >= warn ? 'bg-warn-soft text-warn' : PLAIN;
}
