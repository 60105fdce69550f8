import { useT } from '../../i18n/i18n.ts';
import { holderFigures, holderLetters } from './who-holds.tsx';

const defined = [...holderFigures, 'fees', 'curve'] as const;

/** What each figure counts, on the page itself: a share that nobody can check is an opinion. */
export function Definitions() {
  const t = useT();
  return (
    <section aria-labelledby="discover-definitions" className="mt-5 text-sm text-muted">
      <h2 id="discover-definitions">{t('discover.definitions.title')}</h2>
      <p className="mt-1 max-w-[90ch]">{t('discover.definitions.text')}</p>
      <dl className="mt-2.5 grid gap-x-6 gap-y-1.5 sm:grid-cols-2 xl:grid-cols-3 min-[1900px]:grid-cols-4">
        {defined.map((figure) => (
          <div key={figure} className="flex gap-1.5">
            <dt className="shrink-0 font-semibold text-text">
              {figure !== 'fees' && figure !== 'curve' && `${holderLetters[figure]} · `}
              {t(`discover.field.${figure}`)}
            </dt>
            <dd>{t(`discover.definitions.${figure}`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
