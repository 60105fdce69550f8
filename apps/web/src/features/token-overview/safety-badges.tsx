import { useT } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import type { ChipTone } from '../../ui/chip.tsx';
import { Explain } from '../../ui/explain.tsx';
import { CheckIcon, WarningIcon } from '../../ui/icons.tsx';
import { safetyText } from './safety-text.ts';
import type { TokenInfo } from './use-token-info.ts';

const icons: Partial<Record<ChipTone, React.ReactNode>> = {
  up: <CheckIcon size={11} strokeWidth={3} />,
  warn: <WarningIcon size={12} />,
  down: <WarningIcon size={12} />,
};

export function SafetyBadges({ safety: { badges, transferTax } }: { safety: TokenInfo['safety'] }) {
  const t = useT();
  return (
    <ul aria-label={t('token.safety.list')} className="flex flex-wrap gap-x-1 gap-y-1.5">
      {badges.map((badge) => {
        const text = safetyText(badge, t, transferTax);
        if (!text) return null;
        return (
          <li key={text.key} className="flex">
            <Explain title={text.title} text={text.text}>
              <button
                type="button"
                className="relative flex rounded-full hover:brightness-115 pointer-coarse:after:absolute pointer-coarse:after:-inset-y-1.5 pointer-coarse:after:inset-x-0"
                data-safety={text.key}
                data-level={badge.level}
              >
                <Chip tone={text.tone}>
                  {icons[text.tone]}
                  {text.label}
                </Chip>
              </button>
            </Explain>
          </li>
        );
      })}
    </ul>
  );
}
