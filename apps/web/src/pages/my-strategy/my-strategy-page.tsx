import { Link } from '@tanstack/react-router';
import { CreatedStrategies } from '../../features/strategy-card/created-strategies.tsx';
import { useT } from '../../i18n/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

export default function MyStrategyPage() {
  const t = useT();
  return (
    <Page
      title={t('shell.titles.myStrategy')}
      text={t('strategies.mine.text')}
      actions={
        <Link to="/strategies" search={{ create: true }} className={buttonClass()}>
          {t('strategies.create')}
        </Link>
      }
    >
      <CreatedStrategies />
    </Page>
  );
}
