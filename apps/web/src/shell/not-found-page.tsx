import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { useUser } from '../data/session.ts';
import { useT } from '../i18n/i18n.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ArrowLeftIcon } from '../ui/page-icons.tsx';

/** Says what was not found and offers the ways on. */
export default function NotFoundPage() {
  const t = useT();
  const router = useRouter();
  const path = useLocation({ select: (location) => location.pathname });
  const user = useUser();
  return (
    <div className="mx-auto flex min-h-[calc(100dvh-var(--header-height)-4rem)] max-w-xl flex-col items-center justify-center gap-4 px-5 py-12 text-center">
      <svg width="132" height="132" viewBox="0 0 132 132" fill="none" aria-hidden="true">
        <g stroke="var(--line-strong)" strokeWidth="1.5">
          <circle cx="66" cy="66" r="56" />
          <circle cx="66" cy="66" r="38" />
          <path d="M66 2v24M66 106v24M2 66h24M106 66h24" stroke="var(--accent)" strokeWidth="3" strokeLinecap="round" />
        </g>
        <text
          x="66"
          y="76"
          textAnchor="middle"
          fill="var(--text)"
          fontSize="30"
          fontWeight="700"
          letterSpacing="-1"
          fontFamily="var(--font)"
        >
          404
        </text>
      </svg>
      <h1>{t('shell.titles.notFound')}</h1>
      <p className="break-words text-muted">{t('shell.notFound.text', { path: shortened(path) })}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-2.5">
        <Button tone="ghost" icon={<ArrowLeftIcon size={16} />} onClick={() => router.history.back()}>
          {t('shell.notFound.back')}
        </Button>
        <Link to="/strategies" className={buttonClass('accent')}>
          {t('shell.notFound.strategies')}
        </Link>
        {user && (
          <Link to="/account" className={buttonClass('ghost')}>
            {t('shell.notFound.account')}
          </Link>
        )}
      </div>
    </div>
  );
}

function shortened(path: string): string {
  return path.length > 60 ? `${path.slice(0, 60)}…` : path;
}
