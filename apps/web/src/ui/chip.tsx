import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** `up` and `down` are for gain and loss, or for a finding that is plainly safe or dangerous. */
export type ChipTone = 'plain' | 'accent' | 'gold' | 'warn' | 'up' | 'down';

const tones: Record<ChipTone, string> = {
  plain: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-text',
  gold: 'bg-gold-soft text-gold',
  warn: 'bg-warn-soft text-warn',
  up: 'bg-up-soft text-up',
  down: 'bg-down-soft text-down',
};

export function Chip({
  tone = 'plain',
  title,
  className,
  children,
}: {
  tone?: ChipTone;
  title?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      title={title}
      className={classNames(
        'inline-flex items-center gap-[5px] rounded-full px-[9px] py-0.5 text-xs font-[550] whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
