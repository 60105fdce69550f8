import { useT } from '../../i18n/i18n.ts';
import { CheckIcon } from '../../ui/icons.tsx';

export function HowCard() {
  const t = useT();
  return (
    <section className="card p-4">
      <h2 className="mb-2">{t('strategy.how.title')}</h2>
      <ul className="flex flex-col gap-2 text-muted">
        {(['price', 'skip', 'own'] as const).map((point) => (
          <li key={point} className="flex gap-2.5">
            <CheckIcon size={15} className="mt-0.5 shrink-0 text-accent-text" />
            <span>{t(`strategy.how.${point}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
