import { Link } from '@tanstack/react-router';
import type { DiscoverList } from '@hunter/domain/market/discover';
import type { ReactNode } from 'react';
import { noFilter } from '../../features/discover/discover-search.ts';
import type { Filter } from '../../features/discover/discover-search.ts';
import { sameFilter } from '../../features/discover/presets.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Why a list is empty, and what can be done about it. */
export function NoTokens({
  list,
  filter,
  needsLogin,
  onClear,
}: {
  list: DiscoverList;
  filter: Filter;
  needsLogin: boolean;
  onClear: () => void;
}): ReactNode {
  const t = useT();
  if (needsLogin) {
    return (
      <EmptyState
        text={t('discover.watchlistLogin')}
        height={340}
        action={
          <Link
            to="/login"
            search={{ redirect: location.pathname + location.search }}
            className={buttonClass('accent', 's')}
          >
            {t('discover.login')}
          </Link>
        }
      />
    );
  }
  if (!sameFilter(filter, noFilter)) {
    return (
      <EmptyState
        text={t('discover.noneFiltered')}
        height={340}
        action={
          <Button tone="ghost" size="s" onClick={onClear}>
            {t('discover.clearFilter')}
          </Button>
        }
      />
    );
  }
  return <EmptyState text={t(list === 'watchlist' ? 'discover.noneWatched' : 'discover.none')} height={340} />;
}
