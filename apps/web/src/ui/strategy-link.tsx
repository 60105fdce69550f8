import { Link } from '@tanstack/react-router';
import { classNames } from './class-names.ts';

/** A strategy by its name, as in a table. */
export function StrategyLink({ slug, name, className }: { slug: string; name: string; className: string }) {
  return (
    <Link
      to="/strategies/$slug"
      params={{ slug }}
      className={classNames('truncate font-semibold hover:text-accent-text', className)}
    >
      <bdi>{name}</bdi>
    </Link>
  );
}
