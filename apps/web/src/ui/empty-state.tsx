import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n.ts';
import { useTheme } from './theme.ts';
import type { Theme } from './theme.ts';

/** A list or table without rows: an icon for the theme and a text, "No data" unless the screen knows better. */
export function EmptyState({
  pageTitle,
  text,
  action,
  height = 220,
}: {
  /** Where nothing else of the page is shown: its heading. */
  pageTitle?: string;
  text?: ReactNode;
  action?: ReactNode;
  height?: number | string;
}) {
  const t = useT();
  const theme = useTheme();
  return (
    <div
      className="flex flex-col items-center justify-center gap-3 px-6 text-center text-muted"
      style={{ minHeight: height }}
      data-testid="empty"
    >
      <EmptyIcon theme={theme} />
      {pageTitle !== undefined && <h1 className="text-lg! text-text">{pageTitle}</h1>}
      {(text !== undefined || pageTitle === undefined) && <p>{text ?? t('ui.noData')}</p>}
      {action}
    </div>
  );
}

/** At night a radar that sees nothing, by day an open field under the sun. */
function EmptyIcon({ theme }: { theme: Theme }) {
  const frame = { width: 72, height: 56, viewBox: '0 0 72 56', fill: 'none', 'aria-hidden': true } as const;
  if (theme === 'dark') {
    return (
      <svg {...frame} data-empty-icon="dark">
        <g stroke="var(--line-strong)" strokeWidth="1.6">
          <circle cx="36" cy="28" r="23" fill="var(--surface)" />
          <circle cx="36" cy="28" r="15" />
          <circle cx="36" cy="28" r="7" />
          <path d="M36 5v46M13 28h46" />
        </g>
        <path d="M36 28 52.3 11.7A23 23 0 0 1 59 28Z" fill="var(--accent-soft)" />
        <path d="M36 28 52.3 11.7" stroke="var(--accent-text)" strokeWidth="1.8" strokeLinecap="round" />
        <circle cx="36" cy="28" r="2.2" fill="var(--accent-text)" />
      </svg>
    );
  }
  return (
    <svg {...frame} data-empty-icon="light">
      <circle cx="47" cy="18" r="8" fill="var(--gold-soft)" stroke="var(--gold)" strokeWidth="1.6" />
      <path
        d="M6 46c7-9 13-13 19-13s9 4 14 4 7-6 13-6 9 5 14 15Z"
        fill="var(--surface)"
        stroke="var(--line-strong)"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
      <path d="M4 51h64" stroke="var(--line-strong)" strokeWidth="1.6" strokeLinecap="round" />
      <path d="M22 40v-9M18.5 34.5 22 31l3.5 3.5" stroke="var(--accent)" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  );
}
