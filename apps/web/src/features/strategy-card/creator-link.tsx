import { Link } from '@tanstack/react-router';
import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';

/** "by trader-1", leading to the creator's page. */
export function CreatorLink({ name, className }: { name: string; className?: string }) {
  const t = useT();
  return (
    <Link to="/creator/$name" params={{ name }} className={classNames('rounded hover:text-text', className)}>
      <bdi>{t('strategies.card.by', { name })}</bdi>
    </Link>
  );
}
