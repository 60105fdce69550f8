import { useT } from '../../i18n/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';

export default function TokenPage() {
  const t = useT();
  return (
    <Page title={t('shell.titles.token')}>
      <div className="card">
        <EmptyState />
      </div>
    </Page>
  );
}
