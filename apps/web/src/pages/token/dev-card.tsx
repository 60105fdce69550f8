import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { LightLink } from '../../ui/light-link.tsx';
import { Percent, Usd } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';

const SHOWN = 5;
const REFRESH_MS = 60_000;
/** A token that has lost this much since its first trade counts as down. */
const LOST_PERCENT = -50;

/** Who made the token, and what became of the other tokens that he made. */
export function DevCard({ creator, current }: { creator: string; current: string }) {
  const t = useT();
  const query = useApiQuery(
    'getWallet',
    { address: creator },
    { quiet: true, staleTimeMs: REFRESH_MS, refetchIntervalMs: REFRESH_MS },
  );
  const launched = query.data?.labels.launched;
  const others = launched?.lists.filter(({ tokenContractAddress }) => tokenContractAddress !== current) ?? [];
  const known = others.filter(({ sinceLaunch }) => sinceLaunch !== null);
  const lost = known.filter(({ sinceLaunch }) => Number(sinceLaunch) <= LOST_PERCENT).length;
  return (
    <section className="card px-4 py-3.5" aria-labelledby="dev-card" data-testid="dev-card">
      <div className="flex h-8 items-center justify-between gap-3">
        <h2 id="dev-card">{t('token.dev.title')}</h2>
        <Address address={creator} wallet className="text-sm" />
      </div>
      {query.isPending ? (
        <Skeleton height={20} />
      ) : !launched ? (
        <p className="text-sm text-muted">{t('token.dev.unknown')}</p>
      ) : others.length === 0 ? (
        <p className="text-sm text-muted">{t('token.dev.first')}</p>
      ) : (
        <>
          <p className="text-sm text-muted">
            {t('token.dev.others', { count: launched.total - 1 })}
            {known.length > 0 && ` · ${t('token.dev.lost', { lost, known: known.length })}`}
          </p>
          <ul className="mt-1.5 flex flex-col">
            {others.slice(0, SHOWN).map((token) => (
              <li key={token.tokenContractAddress}>
                <LightLink
                  href={`/token/${token.tokenContractAddress}`}
                  className="-mx-1.5 flex h-8 items-center gap-2 rounded-md px-1.5 text-sm hover:bg-hover pointer-coarse:h-11"
                >
                  <TokenAvatar src={token.tokenLogoUrl} size={18} />
                  <bdi className="min-w-0 flex-1 truncate font-[550]">{token.tokenSymbol}</bdi>
                  <Usd value={token.marketCap} className="num text-muted" />
                  <Percent value={token.sinceLaunch} className="num w-20 text-right" />
                </LightLink>
              </li>
            ))}
          </ul>
          <p className="mt-1 text-xs text-faint">{t('token.dev.since')}</p>
        </>
      )}
    </section>
  );
}
