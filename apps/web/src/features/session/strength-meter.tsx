import { useT } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { passwordStrength } from './password-strength.ts';
import type { PasswordStrength } from './password-strength.ts';

const steps: Record<PasswordStrength, number> = { weak: 1, fair: 2, good: 3, strong: 4 };
// Not red and green: those mean loss and gain here.
const colours: Record<PasswordStrength, string> = {
  weak: 'bg-warn',
  fair: 'bg-gold',
  good: 'bg-accent',
  strong: 'bg-accent',
};

export function StrengthMeter({ password, email }: { password: string; email: string }) {
  const t = useT();
  if (password === '') return t('auth.strength.hint');
  const level = passwordStrength(password, email);
  return (
    <span className="flex items-center gap-2.5">
      <span className="flex flex-1 gap-1" aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={classNames('h-1 flex-1 rounded-full', step <= steps[level] ? colours[level] : 'bg-line-strong')}
          />
        ))}
      </span>
      <span aria-live="polite" data-strength={level}>
        {t('auth.strength.label', { level: t(`auth.strength.${level}`) })}
      </span>
    </span>
  );
}
