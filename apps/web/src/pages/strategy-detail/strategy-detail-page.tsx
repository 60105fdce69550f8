import { useT } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';

export default function StrategyDetailPage() {
  const t = useT();
  return (
    <Page title={t('shell.titles.strategyDetail')}>
      <div className="card">
        <EmptyState />
      </div>
    </Page>
  );
}
