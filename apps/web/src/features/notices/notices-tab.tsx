import { useState } from 'react';
import { useStream } from '../../data/stream.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useMySetting } from '../../data/use-my-setting.ts';
import { useT } from '../../i18n/i18n.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { HitRates } from './hit-rates.tsx';
import { NoticeTable } from './notice-table.tsx';

type Scope = 'token' | 'all';
const REFRESH_EVERY_MS = 30_000;
const PAGE = 50;

/** Golden dog alerts of this token or of all, how they went, and how often each kind was right. */
export function NoticesTab({ address, height }: { address: string; height: number }) {
  const t = useT();
  const [scope, setScope] = useState<Scope>('token');
  const { value: quiet, save: setQuiet } = useMySetting('quietNotices');
  // All pages are fetched again together: newest ones beside older ones kept from before would drift apart.
  const notices = useApiPages(
    'getTokenGoldenDogNotice',
    { limit: PAGE, ...(scope === 'token' ? { tokenContractAddress: address } : {}) },
    { refetchIntervalMs: REFRESH_EVERY_MS, quiet: true },
  );
  const refresh = () => {
    // It would break off the page that is on its way, which somebody waits for.
    if (!notices.loadingMore) notices.retry();
  };
  useStream('notices', 'all', refresh, refresh);
  const loading = notices.loading || notices.stale;

  return (
    <div className="overflow-y-auto scroll-thin" style={{ height }} data-testid="notices">
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5">
        <SegmentedControl
          label={t('notices.scope')}
          value={scope}
          onChange={setScope}
          options={[
            { key: 'token', label: t('notices.thisToken') },
            { key: 'all', label: t('notices.allTokens') },
          ]}
        />
        <Checkbox
          label={t('notices.quiet')}
          checked={quiet === false}
          disabled={quiet === null}
          onChecked={(loud) => {
            setQuiet(!loud).then(
              () => toast.success(t(loud ? 'notices.loudSaved' : 'notices.quietSaved')),
              () => {
                // The shared error handling has said why.
              },
            );
          }}
        />
      </div>
      {notices.error ? (
        <ErrorState title={t('notices.failed')} error={notices.error} onRetry={notices.retry} />
      ) : (
        <>
          {notices.first && !loading ? <HitRates rates={notices.first.hitRates} /> : <Skeleton height={210} />}
          <NoticeTable rows={loading ? [] : notices.rows} loading={loading} withToken={scope === 'all'} />
          <LoadMore list={notices} />
        </>
      )}
    </div>
  );
}
