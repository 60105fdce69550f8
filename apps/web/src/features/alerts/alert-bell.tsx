import { useLoggedIn } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { IconButton } from '../../ui/button.tsx';
import { BellIcon } from '../../ui/icons.tsx';

// It brings the query library along, which the first load of a visitor does without.
const CountingBell = late(() => import('./counting-bell.tsx'), { fallback: <BellFrame /> });

/** The bell of the header, for those who are logged in. */
export function AlertBell() {
  const loggedIn = useLoggedIn();
  return loggedIn ? <CountingBell /> : null;
}

/** The same place and look, so that nothing moves when the bell itself comes. */
function BellFrame() {
  const t = useT();
  return (
    <IconButton label={t('shell.bell', { count: 0 })} disabled>
      <BellIcon />
    </IconButton>
  );
}
