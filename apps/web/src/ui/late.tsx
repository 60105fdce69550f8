import { lazy, Suspense } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { Area } from '../i18n/areas.ts';
import { loadAreas } from '../i18n/i18n.ts';
import { loadPatiently } from './load-patiently.ts';

type Late = {
  /** Areas of texts that it needs besides those of its page. */
  texts?: readonly Area[];
  /** Stands in its place until it is there. */
  fallback?: ReactNode;
};

/** A component whose code and texts load when it is first shown, as those of a dialog. */
export function late<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  { texts = [], fallback = null }: Late = {},
): ComponentType<Props> {
  const Loaded = lazy(() =>
    loadPatiently(async () => {
      const [loaded] = await Promise.all([load(), loadAreas(texts)]);
      return loaded;
    }),
  ) as ComponentType<Props>;
  return (props) => (
    <Suspense fallback={fallback}>
      <Loaded {...props} />
    </Suspense>
  );
}
