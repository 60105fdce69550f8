import type { ReactNode } from 'react';
import { useAppConfig } from '../data/app-config.ts';
import { LightLink } from './light-link.tsx';

type Target = { kind: 'tx' | 'address'; id: string };

/** An outside explorer where the installation names one, else the product's own pages. */
export function explorerHref(explorerUrl: string | null, { kind, id }: Target): string {
  if (explorerUrl === null) return `/${kind}/${encodeURIComponent(id)}`;
  return explorerUrl.replaceAll('{kind}', kind).replaceAll('{id}', encodeURIComponent(id));
}

export function ExplorerLink({
  kind,
  id,
  className,
  title,
  label,
  children,
}: Target & {
  className?: string;
  title?: string;
  /** For links that show a picture only. */
  label?: string;
  children: ReactNode;
}) {
  const explorerUrl = useAppConfig()?.explorerUrl ?? null;
  const href = explorerHref(explorerUrl, { kind, id });
  if (explorerUrl === null) {
    return (
      <LightLink href={href} className={className} title={title} aria-label={label}>
        {children}
      </LightLink>
    );
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={className} title={title} aria-label={label}>
      {children}
    </a>
  );
}
