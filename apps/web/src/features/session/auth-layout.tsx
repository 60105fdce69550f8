import type { ReactNode } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { CheckIcon } from '../../ui/icons.tsx';

/** The frame of login and registration: the form, and beside it on wide screens what Hunter is. */
export function AuthLayout({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <div className="grid min-h-[calc(100dvh-var(--header-height))] grid-cols-[minmax(0,1fr)] bg-[image:var(--glow)] lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Pitch />
      <div className="flex items-start justify-center px-4 py-8 sm:items-center sm:py-12 lg:justify-start lg:pl-8">
        <section className="card w-full max-w-[420px] p-5 shadow-pop sm:p-7">
          <h1>{title}</h1>
          {text && <p className="mt-1.5 text-muted">{text}</p>}
          <div className="mt-5">{children}</div>
        </section>
      </div>
    </div>
  );
}

function Pitch() {
  const t = useT();
  return (
    <aside className="flex flex-col justify-center gap-7 px-12 py-12 max-lg:hidden xl:pl-[max(3rem,calc(50vw-600px))]">
      <Trail />
      <div>
        <p className="text-[34px] leading-[1.15] font-[720] tracking-[-0.9px] text-balance">{t('auth.pitch.title')}</p>
        <p className="mt-3 max-w-md text-lg text-muted">{t('auth.pitch.text')}</p>
      </div>
      <ul className="flex max-w-md flex-col gap-3 text-md">
        {(['price', 'truth', 'alerts'] as const).map((point) => (
          <li key={point} className="flex gap-3">
            <span className="mt-0.5 grid size-[18px] shrink-0 place-items-center rounded-full bg-accent-soft text-accent-text">
              <CheckIcon size={12} strokeWidth={2.6} />
            </span>
            {t(`auth.pitch.points.${point}`)}
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** A price on its way up, with the sight on the moment before. */
function Trail() {
  const path =
    'M4 132C30 128 44 138 66 130s34-2 54-8 26 6 46 0 30-20 48-22 22 10 42 2 28-42 52-50 30 6 46-10 22-30 40-36';
  return (
    <svg viewBox="0 0 400 160" fill="none" className="w-full max-w-md" aria-hidden="true">
      <defs>
        <linearGradient id="trail" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--accent)" stopOpacity="0.28" />
          <stop offset="1" stopColor="var(--accent)" stopOpacity="0" />
        </linearGradient>
      </defs>
      {[32, 72, 112, 152].map((y) => (
        <path key={y} d={`M0 ${y}h400`} stroke="var(--line)" strokeDasharray="2 6" />
      ))}
      <path d={`${path}V160H4Z`} fill="url(#trail)" />
      <path d={path} stroke="var(--accent-text)" strokeWidth="2.5" strokeLinecap="round" />
      <g transform="translate(256 102)" stroke="var(--text)" strokeWidth="2" strokeLinecap="round">
        <circle r="17" />
        <path d="M0-25v13M0 12v13M-25 0h13M12 0h13" />
        <circle r="3.5" fill="var(--text)" stroke="none" />
      </g>
    </svg>
  );
}
