import { Link } from '@tanstack/react-router';
import { useT } from '../../i18n/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Percent } from '../../ui/numbers.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { bookSearch } from './strategy-detail.ts';
import type { StrategyDetail } from './strategy-detail.ts';

/** The way from a strategy to the trade panel of one of its coins. */
export default function TradeDialog({ strategy, onClose }: { strategy: StrategyDetail; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog
      open
      onClose={onClose}
      title={<bdi>{t('strategy.trade.title', { name: strategy.name })}</bdi>}
      description={t('strategy.trade.text')}
    >
      {strategy.positions.length === 0 && <p className="text-sm text-faint">{t('strategy.trade.none')}</p>}
      <ul className="flex flex-col gap-1">
        {strategy.positions.map((coin) => (
          <li key={coin.tokenContractAddress}>
            <Link
              to="/token/$tokenAddress"
              params={{ tokenAddress: coin.tokenContractAddress }}
              search={bookSearch(strategy)}
              className="flex items-center gap-3 rounded-m px-2.5 py-2 hover:bg-hover"
            >
              <TokenAvatar src={coin.tokenLogoUrl} size={28} />
              <bdi className="min-w-0 flex-1 truncate font-semibold">{coin.tokenSymbol}</bdi>
              <Percent value={coin.weight} tone={false} className="text-muted" />
              <span aria-hidden="true" className="text-faint">
                →
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-sm text-faint">{t('strategy.trade.hint')}</p>
    </Dialog>
  );
}
