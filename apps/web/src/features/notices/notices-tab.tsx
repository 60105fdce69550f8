import { useState } from 'react';
import { api } from '../../data/api.ts';
import { queryClient } from '../../data/query-client.ts';
import { useStream } from '../../data/stream.ts';
import { apiKey, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { HitRates } from './hit-rates.tsx';
import { NoticeTable } from './notice-table.tsx';
import type { Notice } from './notice-text.ts';
import { useQuietNotices } from './quiet-notices.ts';

type Scope = 'token' | 'all';
const REFRESH_EVERY_MS = 30_000;
const PAGE = 50;

/** Golden dog alerts of this token or of all, how they went, and how often each kind was right. */
export function NoticesTab({ address, height }: { address: string; height: number }) {
  const t = useT();
  const [scope, setScope] = useState<Scope>('token');
  const { quiet, known, setQuiet } = useQuietNotices();
  const request = { limit: PAGE, ...(scope === 'token' ? { tokenContractAddress: address } : {}) };
  const query = useApiQuery('getTokenGoldenDogNotice', request, {
    refetchIntervalMs: REFRESH_EVERY_MS,
    quiet: true,
  });
  const refresh = () => void queryClient.invalidateQueries({ queryKey: apiKey('getTokenGoldenDogNotice') });
  useStream('notices', 'all', refresh, refresh);
  // Older pages are kept beside the newest one, which is fetched again all the time.
  const [older, setOlder] = useState<{ scope: string; lists: readonly Notice[]; cursor: string | null } | null>(null);
  const scopeKey = scope === 'token' ? address : 'all';
  const kept = older?.scope === scopeKey ? older : null;
  const newest = query.data?.lists ?? [];
  const seen = new Set(newest.map(({ id }) => id));
  const rows = [...newest, ...(kept?.lists.filter(({ id }) => !seen.has(id)) ?? [])];
  const cursor = kept ? kept.cursor : (query.data?.nextCursor ?? null);

  async function loadOlder(): Promise<void> {
    if (cursor === null) return;
    const reply = await api.call('getTokenGoldenDogNotice', { ...request, cursor });
    setOlder({ scope: scopeKey, lists: [...(kept?.lists ?? []), ...reply.lists], cursor: reply.nextCursor });
  }

  return (
    <div className="overflow-y-auto scroll-thin" style={{ height }} data-testid="notices">
      <div className="flex flex-wrap items-center justify-between gap-3 px-3.5 py-2.5">
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
          checked={!quiet}
          disabled={!known}
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
      {query.isError && !query.data ? (
        <ErrorState title={t('notices.failed')} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          {query.data ? <HitRates rates={query.data.hitRates} /> : <Skeleton height={210} />}
          <NoticeTable rows={rows} loading={query.isLoading} withToken={scope === 'all'} />
          {cursor !== null && (
            <div className="grid place-items-center py-3">
              <Button size="s" tone="ghost" onClick={() => void loadOlder().catch(() => {})}>
                {t('notices.more')}
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  );
}
