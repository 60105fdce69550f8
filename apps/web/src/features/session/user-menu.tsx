import { Link } from '@tanstack/react-router';
import { useLoggedIn } from '../../data/session.ts';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { UserMenuFrame } from '../../ui/user-menu-frame.tsx';

// Visitors do without it, and without the live values it shows.
const LoggedInMenu = late(() => import('./logged-in-menu.tsx'), { fallback: <UserMenuFrame /> });

/** The end of the header: the user's menu when logged in, the way in when not. */
export function UserMenu() {
  const loggedIn = useLoggedIn();
  const t = useT();
  if (loggedIn) return <LoggedInMenu />;
  return (
    <Link to="/login" className={buttonClass('accent', 's')} data-testid="login-button">
      {t('shell.login')}
    </Link>
  );
}
