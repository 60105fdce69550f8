import { classNames } from './class-names.ts';

/** Stands where content will be, at its size, so that nothing moves when it arrives. */
export function Skeleton({
  width = '100%',
  height = 14,
  className,
}: {
  width?: number | string;
  height?: number | string;
  className?: string;
}) {
  return (
    <span
      aria-hidden="true"
      className={classNames('block animate-pulse-soft rounded-md bg-hover', className)}
      style={{ width, height }}
    />
  );
}
