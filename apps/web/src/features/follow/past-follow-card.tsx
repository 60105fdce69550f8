import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Percent, Sol } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { KeyValue } from '../../ui/stat.tsx';

/** As many as are read at once; the running ones come first, then the latest. */
const ROWS = 100;

/** What the reader's own follow of an ended strategy came to; nothing for who has not followed it. */
export function PastFollowCard({ slug }: { slug: string }) {
  const t = useT();
  const { data } = useApiQuery('getMyFollows', { pageNo: 1, pageSize: ROWS }, { quiet: true });
  const follow = data?.lists.find((each) => each.slug === slug && each.status === 'closed');
  if (!follow) return null;
  return (
    <section className="card p-4" data-testid="past-follow">
      <div className="mb-2 flex items-center justify-between">
        <h2>{t('strategy.mine.title')}</h2>
        <Percent value={follow.changeRate} className="text-xl font-bold" />
      </div>
      <div className="grid sm:max-xl:grid-cols-2 sm:max-xl:gap-x-10">
        <KeyValue label={t('strategy.mine.put')}>
          <Sol value={follow.amount} />
        </KeyValue>
        {/* Of a follow that is over, all that came back. */}
        <KeyValue label={t('strategy.mine.returned')}>
          <Sol value={follow.equity} className="font-semibold" />
        </KeyValue>
        <KeyValue label={t('strategy.mine.profit')}>
          <Sol value={follow.pnl} tone />
        </KeyValue>
        <KeyValue label={t('strategy.mine.since')}>
          <RelativeTime timeMs={follow.openTime} />
        </KeyValue>
        {follow.closeTime !== null && (
          <KeyValue label={t('strategies.following.ended')}>
            <RelativeTime timeMs={follow.closeTime} />
          </KeyValue>
        )}
      </div>
    </section>
  );
}
