import { useState } from 'react';
import { useUser } from '../../data/session.ts';
import { browserStorage } from '../../ui/browser-storage.ts';
import { useT } from '../../i18n/i18n.ts';
import { joinSentences } from '../../i18n/join-sentences.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { PercentChoice } from './percent-choice.tsx';
import { protectionOf, readProtectChoice, writeProtectChoice } from './protect-choice.ts';
import type { ProtectChoice } from './protect-choice.ts';
import { protectText } from './trigger-summary.ts';

const STOPS = ['10', '25', '50'] as const;
const TARGETS = ['50', '100', '300'] as const;
const TRAILS = ['15', '30', '45'] as const;

/** What this account chose last in this browser. */
export function useProtectChoice(): [ProtectChoice, (choice: ProtectChoice) => void] {
  const account = useUser((user) => user?.email ?? 'visitor');
  const [choice, setChoice] = useState(() => readProtectChoice(browserStorage, account));
  const [chosenBy, setChosenBy] = useState(account);
  if (chosenBy !== account) {
    setChosenBy(account);
    setChoice(readProtectChoice(browserStorage, account));
  }
  return [
    choice,
    (next) => {
      setChoice(next);
      writeProtectChoice(browserStorage, account, next);
    },
  ];
}

/** Stop loss, take profit and trailing stop of a buy, behind a switch. */
export function ProtectFields({
  choice,
  onChoice,
  disabled,
}: {
  choice: ProtectChoice;
  onChoice: (choice: ProtectChoice) => void;
  disabled: boolean;
}) {
  const t = useT();
  return (
    <div className="mt-3 rounded-lg border border-line bg-bg px-2.5 py-2" data-testid="protect">
      <Checkbox
        checked={choice.isOn}
        disabled={disabled}
        onChecked={(isOn) => onChoice({ ...choice, isOn })}
        label={<span className="text-sm font-[550]">{t('triggers.protect.title')}</span>}
      />
      {choice.isOn && (
        <div className="mt-2 flex flex-col gap-1.5">
          <PercentChoice
            name={t('triggers.protect.stop')}
            sign="−"
            tone="down"
            choices={STOPS}
            value={choice.stop}
            onValue={(stop) => onChoice({ ...choice, stop })}
            disabled={disabled}
          />
          <PercentChoice
            name={t('triggers.protect.target')}
            sign="+"
            tone="up"
            choices={TARGETS}
            value={choice.target}
            onValue={(target) => onChoice({ ...choice, target })}
            disabled={disabled}
          />
          <PercentChoice
            name={t('triggers.protect.trail')}
            sign="−"
            tone="down"
            choices={TRAILS}
            value={choice.trail}
            onValue={(trail) => onChoice({ ...choice, trail })}
            disabled={disabled}
          />
          <p className="text-xs text-muted" data-testid="protect-text">
            {protectionOf(choice) === 'incomplete'
              ? t('triggers.protect.none')
              : joinSentences([protectText(choice, t), t('triggers.protect.judged')])}
          </p>
        </div>
      )}
    </div>
  );
}
