import { classNames } from './class-names.ts';

/**
 * Stands where content will be, at its size, so that nothing moves when it arrives. It keeps still: a hundred of them that
 * pulse are a hundred layers to blend in every frame, while the page needs that time to become ready.
 */
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
    <span aria-hidden="true" className={classNames('block rounded-md bg-hover', className)} style={{ width, height }} />
  );
}
