import { useT } from '../../i18n/i18n.ts';
import { TokenAvatar } from '../../ui/token-avatar.tsx';

const COINS_SHOWN = 4;

/** The coins of a strategy, the largest first, as overlapping logos with the number of the rest. */
export function CoinStack({ coins }: { coins: readonly { tokenSymbol: string; tokenLogoUrl: string }[] }) {
  const t = useT();
  if (coins.length === 0) return <span className="text-xs text-faint">{t('strategies.card.allSol')}</span>;
  const symbols = coins.map((coin) => coin.tokenSymbol).join(', ');
  return (
    <span className="flex items-center" title={symbols} role="img" aria-label={t('strategies.card.coins', { symbols })}>
      {coins.slice(0, COINS_SHOWN).map((coin, index) => (
        <TokenAvatar
          key={`${coin.tokenSymbol}-${index}`}
          src={coin.tokenLogoUrl}
          size={24}
          className="-ml-1.5 border-2 border-surface first:-ml-0.5"
        />
      ))}
      {coins.length > COINS_SHOWN && (
        <span className="num ml-1.5 text-sm text-muted">+{coins.length - COINS_SHOWN}</span>
      )}
    </span>
  );
}
