import { isChosen, type AlertChannel, type AlertKind } from '@hunter/domain/alerts/alert-kind';
import { formatPrice } from '@hunter/domain/format/format-price';
import { useRef } from 'react';
import { api } from '../../data/api.ts';
import { queryClient } from '../../data/query-client.ts';
import { apiKey, useApiMutation, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AlertChannels } from './alert-channels.tsx';

const hinted = ['round-filled', 'round-skipped', 'golden-dog'] as const;
const isHinted = (kind: AlertKind): kind is (typeof hinted)[number] => (hinted as readonly AlertKind[]).includes(kind);

/** Where each kind of notification goes, and the price alerts that wait. */
export default function AlertSettings() {
  const t = useT();
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-7 p-4 sm:p-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <section>
        <h2>{t('alerts.title')}</h2>
        <p className="mt-0.5 text-sm text-muted">{t('alerts.choiceText')}</p>
        <Choices />
      </section>
      <div className="grid content-start gap-7">
        <section>
          <h2>{t('alerts.connected')}</h2>
          <AlertChannels />
        </section>
        <section>
          <h2>{t('alerts.priceAlerts')}</h2>
          <PriceAlerts />
        </section>
      </div>
    </div>
  );
}

function Choices() {
  const t = useT();
  const { query, choose } = useAlertChoices();
  if (query.isError && !query.data) return <QueryError query={query} height={200} title={t('alerts.choiceFailed')} />;
  if (!query.data) return <Skeleton height={380} className="mt-3" />;
  const { kinds, available } = query.data;
  return (
    <table className="mt-3 w-full border-collapse" aria-label={t('alerts.choiceTable')}>
      <thead>
        <tr className="text-xs text-faint">
          <th scope="col" className="py-2 text-left font-medium">
            {t('alerts.kind')}
          </th>
          {available.map((channel) => (
            <th key={channel} scope="col" className="w-[68px] px-1 py-2 text-center font-medium max-sm:w-14">
              {t(`alerts.channels.${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, channels }) => (
          <tr key={kind} className="border-t border-line/55">
            <th scope="row" className="py-2 pr-3 text-left font-medium">
              {t(`alerts.kinds.${kind}`)}
              {isHinted(kind) && (
                <span className="block text-sm font-normal text-muted">{t(`alerts.hints.${kind}`)}</span>
              )}
            </th>
            {available.map((channel) => {
              const fixed = !isChosen(kind, channel);
              return (
                <td key={channel} className="px-1 py-2">
                  <Checkbox
                    className="justify-center"
                    checked={fixed || channels.includes(channel)}
                    disabled={fixed}
                    title={fixed ? t('alerts.always') : undefined}
                    onChecked={(on) =>
                      choose(kind, on ? [...channels, channel] : channels.filter((each) => each !== channel))
                    }
                    label={
                      <span className="sr-only">
                        {t(`alerts.kinds.${kind}`)}: {t(`alerts.channels.${channel}`)}
                      </span>
                    }
                  />
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A choice is shown at once and saved behind it. */
function useAlertChoices() {
  const query = useApiQuery('getMyAlertChoices', {}, { quiet: true });
  // One after the other, in the order of the clicks, so that the last one counts.
  const saving = useRef({ last: Promise.resolve(), count: 0 });

  function choose(kind: AlertKind, channels: AlertChannel[]): void {
    if (!query.data) return;
    const { kinds, available } = query.data;
    const kept = kinds.map((each) => (each.kind === kind ? { kind, channels } : each));
    queryClient.setQueryData(apiKey('getMyAlertChoices', {}), { kinds: kept, available });
    const now = saving.current;
    now.count += 1;
    now.last = now.last.then(() => save(kind, channels));
  }

  async function save(kind: AlertKind, channels: AlertChannel[]): Promise<void> {
    try {
      await api.call('saveMyAlertChoice', { kind, channels });
    } catch {
      // The reason is shown as a toast, and the box goes back to what is saved.
    }
    saving.current.count -= 1;
    if (saving.current.count === 0) void query.refetch();
  }

  return { query, choose };
}

function PriceAlerts() {
  const t = useT();
  const query = useApiQuery('getMyPriceAlerts', {}, { quiet: true });
  const remove = useApiMutation('deletePriceAlert', { refresh: ['getMyPriceAlerts'] });
  if (query.isError && !query.data) {
    return <QueryError query={query} height={120} title={t('alerts.priceAlertsFailed')} />;
  }
  if (!query.data) return <Skeleton height={60} className="mt-3" />;
  if (query.data.lists.length === 0) {
    return <p className="mt-2 text-sm text-muted">{t('alerts.priceAlertsNone')}</p>;
  }
  return (
    <ul className="mt-2" data-testid="price-alerts">
      {query.data.lists.map((alert) => (
        <li key={alert.id} className="flex items-center justify-between gap-3 border-b border-line/55 py-1.5">
          <span className="min-w-0 truncate">
            <bdi className="font-semibold">{alert.tokenSymbol}</bdi>{' '}
            <span className="num text-sm text-muted">
              {t(`alerts.${alert.direction}`, { price: formatPrice(alert.target) })}
            </span>
          </span>
          <Button
            tone="plain"
            size="s"
            disabled={remove.isPending}
            aria-label={t('alerts.removeLabel', { symbol: alert.tokenSymbol })}
            onClick={() => remove.mutate({ id: alert.id })}
          >
            {t('alerts.remove')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
