import { isPriced } from '@hunter/domain/format/format-price';
import type { ReactNode } from 'react';
import { useLivePrice } from '../../data/live-prices.ts';
import { useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Flash } from '../../ui/flash.tsx';
import { WarningIcon } from '../../ui/icons.tsx';
import { Count, Percent, Price, Tokens, Usd } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Stat } from '../../ui/stat.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { SafetyBadges } from './safety-badges.tsx';
import { safetyText } from './safety-text.ts';
import type { TokenInfo } from './use-token-info.ts';

/** Name, price, safety and the main figures of a token. */
export function TokenHeader({
  address,
  info,
  action,
}: {
  address: string;
  info: TokenInfo | undefined;
  /** Beside the address. */
  action?: ReactNode;
}) {
  return (
    <section className="@container card px-4 py-3.5 [contain:content]" data-testid="token-header">
      <div className="flex min-h-[62px] flex-wrap items-start justify-between gap-x-6 gap-y-2">
        {info ? <Identity address={address} info={info} action={action} /> : <IdentitySkeleton />}
        {info ? <PriceBlock address={address} info={info} /> : <Skeleton width={150} height={44} />}
      </div>
      <Stats address={address} info={info} />
      {/* As high as the usual lines of badges, so that nothing moves when they arrive. */}
      <div className="mt-3 min-h-[89px] @min-[330px]:min-h-[65px] @min-[430px]:min-h-[42px] @min-[800px]:min-h-[19px]">
        {info && <SafetyBadges safety={info.safety} />}
      </div>
      <NameWarning info={info} />
    </section>
  );
}

type IdentityProps = { address: string; info: TokenInfo; action: ReactNode };

function Identity({ address, info: { token }, action }: IdentityProps) {
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      <TokenAvatar src={token.tokenLogoUrl} size={44} />
      <div className="min-w-0">
        <h1 className="flex min-w-0 items-baseline gap-2">
          <bdi className="max-w-[12ch] shrink-0 truncate sm:max-w-[20ch]" data-testid="token-symbol">
            {token.tokenSymbol}
          </bdi>
          <bdi className="truncate text-base font-normal tracking-normal text-muted">{token.tokenName}</bdi>
        </h1>
        <div className="mt-0.5 flex h-6 items-center gap-1.5">
          <Address address={address} className="text-sm text-muted" />
          {action}
        </div>
      </div>
    </div>
  );
}

function PriceBlock({ address, info: { token } }: { address: string; info: TokenInfo }) {
  const t = useT();
  const tick = useLivePrice(address);
  const price = tick?.price ?? token.price;
  return (
    // Of a size of its own, like the figures below, so that a tick lays out these few words and not the whole page.
    <div
      className="text-right max-sm:w-full max-sm:text-left sm:h-[54px] sm:w-[330px] sm:[contain:strict]"
      data-testid="token-price"
    >
      <Flash value={price} className="text-2xl leading-8 font-semibold tracking-tight">
        <Price value={price} />
      </Flash>
      <div className="flex flex-wrap items-baseline justify-end gap-x-2.5 text-sm max-sm:justify-start">
        <Price value={tick?.priceSol ?? token.priceSol} unit="sol" className="text-muted" />
        <span className="num">
          <Percent value={(tick ?? token).change} /> <span className="text-faint">{t('token.change24h')}</span>
        </span>
        <span className="num">
          <Percent value={(tick ?? token).change1h} /> <span className="text-faint">{t('token.change1h')}</span>
        </span>
      </div>
    </div>
  );
}

/** A name that pretends to be something else is said out loud, not only in a badge. */
function NameWarning({ info }: { info: TokenInfo | undefined }) {
  const t = useT();
  const badge = info?.safety.badges.find(({ key, level }) => key === 'name' && level !== 'ok');
  const text = badge && safetyText(badge, t);
  if (!text) return null;
  return (
    <p
      role="alert"
      className="mt-2.5 flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn"
      data-testid="name-warning"
    >
      <WarningIcon size={15} className="mt-px shrink-0" />
      {text.text}
    </p>
  );
}

function Stats({ address, info }: { address: string; info: TokenInfo | undefined }) {
  const t = useT();
  const tick = useLivePrice(address);
  const token = info?.token;
  // Before its first trade is known, nothing else is known of a token.
  const known = isPriced(tick?.price ?? token?.price);
  const wait = <Skeleton width={64} height={20} />;
  return (
    <div className="mt-3 grid grid-cols-3 gap-x-5 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-9" data-testid="token-stats">
      <Stat label={t('token.marketCap')}>
        <Figure>{token ? <Usd value={known ? (tick?.marketCap ?? token.marketCap) : null} /> : wait}</Figure>
      </Stat>
      <Stat label={t('token.liquidity')}>
        <Figure>{token ? <Usd value={known ? (tick?.liquidity ?? token.liquidity) : null} /> : wait}</Figure>
      </Stat>
      <Stat label={t('token.holders')}>
        <Figure>{token ? <Count value={known ? (tick?.holders ?? token.holders) : null} /> : wait}</Figure>
      </Stat>
      <Stat label={t('token.supply')}>
        <Figure>{token ? <Tokens value={token.supply} /> : wait}</Figure>
      </Stat>
      <Stat label={t('token.volume24h')}>
        <Figure>{info ? <Usd value={info.market.tradeVolume} /> : wait}</Figure>
      </Stat>
    </div>
  );
}

function Figure({ children }: { children: ReactNode }) {
  return <span className="block h-5 w-[80px] [contain:strict]">{children}</span>;
}

function IdentitySkeleton() {
  return (
    <div className="flex items-center gap-3" aria-hidden="true">
      <Skeleton width={44} height={44} className="rounded-full" />
      <div className="flex flex-col gap-2">
        <Skeleton width={170} height={22} />
        <Skeleton width={110} height={18} />
      </div>
    </div>
  );
}
