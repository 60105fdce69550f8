import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A figure under its name. */
export function Stat({ label, children, className }: { label: ReactNode; children: ReactNode; className?: string }) {
  return (
    <div className={classNames('flex min-w-0 flex-col gap-[3px]', className)}>
      <span className="text-xs whitespace-nowrap text-faint">{label}</span>
      <span className="num text-md font-semibold">{children}</span>
    </div>
  );
}

/** A name and its value on one line, as in a receipt. */
export function KeyValue({
  label,
  children,
  className,
}: {
  label: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div className={classNames('flex items-baseline justify-between gap-4 py-[5px] text-sm', className)}>
      <span className="text-muted">{label}</span>
      <span className="num text-right">{children}</span>
    </div>
  );
}
