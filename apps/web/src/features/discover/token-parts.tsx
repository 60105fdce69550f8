// The pieces that a row of the table and a card share. What moves listens to the price by itself, so that a tick renders a figure
// and not a row.
import { Link } from '@tanstack/react-router';
import { formatPercent } from '@hunter/domain/format/format-percent';
import { isPriced } from '@hunter/domain/format/format-price';
import { useLivePrice } from '../../data/live-prices.ts';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { Flash } from '../../ui/flash.tsx';
import { WarningIcon } from '../../ui/icons.tsx';
import { StarIcon } from '../../ui/page-icons.tsx';
import { Count, Percent, Price, Usd } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Ring } from '../../ui/ring.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { changeOf } from './discover-token.ts';
import type { DiscoverToken } from './discover-token.ts';
import type { Period } from './discover-search.ts';

export type TokenProps = { token: DiscoverToken };

/** What a row can do; the same object for all of them, so that rows stay as they are. */
export type RowActions = {
  watch: (token: DiscoverToken, watched: boolean) => void;
  buy: (token: DiscoverToken, amount: string) => void;
  amounts: readonly string[];
  slippageText: string;
};

export function Star({ token, watched, actions }: TokenProps & { watched: boolean; actions: RowActions }) {
  const t = useT();
  return (
    <button
      type="button"
      aria-pressed={watched}
      aria-label={t(watched ? 'discover.unwatch' : 'discover.watch', { symbol: token.tokenSymbol })}
      className={classNames(
        'relative z-1 -ml-1.5 grid size-8 shrink-0 place-items-center rounded-lg hover:bg-hover pointer-coarse:size-10',
        watched ? 'text-gold' : 'text-faint hover:text-text',
      )}
      onClick={() => actions.watch(token, !watched)}
    >
      <StarIcon size={16} fill={watched ? 'currentColor' : 'none'} />
    </button>
  );
}

/** Its link covers the whole row or card, below the buttons. `withStage` where no column of its own shows the launch curve. */
export function TokenName({ token, withStage = false }: TokenProps & { withStage?: boolean }) {
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2.5">
      <TokenAvatar src={token.tokenLogoUrl} size={32} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex min-w-0 items-center gap-1.5">
          <Link
            to="/token/$tokenAddress"
            params={{ tokenAddress: token.tokenContractAddress }}
            className="min-w-0 truncate text-[13.5px] font-semibold outline-none after:absolute after:inset-0 focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-accent-text"
            data-testid="discover-token"
          >
            <bdi>{token.tokenSymbol}</bdi>
          </Link>
          <Risk risk={token.risk} />
          {withStage && <Stage token={token} />}
        </span>
        <span className="flex min-w-0 items-center gap-1.5 text-xs text-faint">
          <RelativeTime timeMs={token.createdAt} className="shrink-0" />
          <bdi className="truncate">{token.tokenName}</bdi>
          <Links token={token} />
        </span>
      </span>
    </span>
  );
}

function Risk({ risk }: { risk: DiscoverToken['risk'] }) {
  const t = useT();
  if (risk === 'ok') return null;
  const label = t(`discover.risk.${risk}`);
  const tone = { danger: 'text-down', warn: 'text-warn', unknown: 'text-faint' }[risk];
  return (
    <span role="img" aria-label={label} title={label} className={classNames('relative z-1 shrink-0', tone)}>
      <WarningIcon size={14} />
    </span>
  );
}

function Stage({ token }: TokenProps) {
  const t = useT();
  if (token.stage !== 'curve') return null;
  return (
    <span className="num shrink-0 rounded-full bg-accent-soft px-1.5 text-2xs leading-4 font-semibold text-accent-text">
      {t('discover.onCurve', { percent: wholePercent(token.curve) })}
    </span>
  );
}

export function wholePercent(value: string | null): string {
  return formatPercent(value)
    .replace(/^\+/, '')
    .replace(/\.\d+%$/, '%');
}

/** Chosen by whoever made the token: opened apart from this page, and without a word about it. */
function Links({ token }: TokenProps) {
  const t = useT();
  return token.links?.map(({ kind, url }) => (
    <a
      key={`${kind} ${url}`}
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={url}
      className="relative z-1 shrink-0 underline decoration-line-strong underline-offset-2 hover:text-text"
    >
      {kind === 'website' ? t('discover.website') : kind === 'x' ? 'X' : 'Telegram'}
    </a>
  ));
}

export function LivePrice({ token }: TokenProps) {
  const tick = useLivePrice(token.tokenContractAddress);
  const price = tick?.price ?? token.price;
  return (
    <Flash value={price} className="font-semibold">
      <Price value={price} />
    </Flash>
  );
}

export function Change({ token, period }: TokenProps & { period: Period }) {
  const t = useT();
  const tick = useLivePrice(token.tokenContractAddress);
  const { value, sinceLaunch } = changeOf(token);
  const live = sinceLaunch ? undefined : period === '1h' ? tick?.change1h : period === '24h' ? tick?.change : undefined;
  return (
    <span
      className="inline-flex flex-col items-end leading-tight"
      title={sinceLaunch ? t('discover.sinceLaunchHint') : undefined}
    >
      <Percent value={live === undefined ? value : live} className="font-semibold" />
      {sinceLaunch && <small className="text-2xs text-faint">{t('discover.sinceLaunch')}</small>}
    </span>
  );
}

export function LiveUsd({ token, figure }: TokenProps & { figure: 'marketCap' | 'liquidity' }) {
  const { price, [figure]: value } = useLivePrice(token.tokenContractAddress) ?? token;
  return <Usd value={isPriced(price) ? value : null} />;
}

export function LiveHolders({ token }: TokenProps) {
  return <Count value={(useLivePrice(token.tokenContractAddress) ?? token).holders} />;
}

export function BuysAndSells({ token: { buys, sells } }: TokenProps) {
  const t = useT();
  if (buys === null || sells === null) return <Count value={null} />;
  const share = buys + sells === 0 ? 0 : buys / (buys + sells);
  return (
    <span
      role="img"
      aria-label={t('discover.buysSells', { buys, sells })}
      className="inline-flex flex-col items-end gap-[3px]"
    >
      <span className="num leading-4">
        <span className="text-up">{buys}</span> / <span className="text-down">{sells}</span>
      </span>
      <span
        className={classNames(
          'block h-1 w-[76px] overflow-hidden rounded-full',
          buys + sells === 0 ? 'bg-hover' : 'bg-down/45',
        )}
      >
        {buys + sells > 0 && <span className="block h-full bg-up" style={{ width: `${share * 100}%` }} />}
      </span>
    </span>
  );
}

export function QuickBuyButtons({
  token,
  actions,
  pending,
}: TokenProps & { actions: RowActions; pending: string | null }) {
  const t = useT();
  const symbol = token.tokenSymbol;
  return (
    <span className="relative z-1 inline-flex divide-x divide-line overflow-hidden rounded-lg border border-line-strong bg-surface">
      {actions.amounts.map((amount, place) => (
        <button
          key={`${place} ${amount}`}
          type="button"
          // The focus comes back here from the dialog of the first purchase, when that is under way already.
          aria-disabled={pending !== null || undefined}
          aria-busy={pending === amount || undefined}
          aria-label={t('discover.quickBuy.buy', { symbol, amount })}
          title={t('discover.quickBuy.hint', { symbol, amount, slippage: actions.slippageText })}
          className="num relative h-[30px] min-w-10 px-2 text-sm font-semibold hover:not-aria-disabled:bg-up-soft hover:not-aria-disabled:text-up focus-visible:-outline-offset-2 aria-disabled:cursor-wait aria-disabled:text-faint pointer-coarse:h-10"
          onClick={() => {
            if (pending === null) actions.buy(token, amount);
          }}
          data-testid="quick-buy"
        >
          {pending === amount ? (
            <span className="inline-block align-middle">
              <Ring size={14} />
            </span>
          ) : (
            amount
          )}
        </button>
      ))}
    </span>
  );
}
