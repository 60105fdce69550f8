import { useState } from 'react';
import { attempt, isUnknown, settleAll } from '../../data/attempts.ts';
import { useUser } from '../../data/session.ts';
import { useMoneyAction } from '../../data/use-money-action.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import { SolField } from '../../ui/sol-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Warning } from '../../ui/warning.tsx';
import { FollowPreview, useFollowPreview } from './follow-preview.tsx';
import { ProtectionDisclosure } from './protection-fields.tsx';
import { DEFAULT_PROTECTION, protectionRequest } from './protection.ts';
import { refreshFollows } from './refresh-follows.ts';

type Mode = 'sol' | 'position';

const MULTIPLIER = /^(?!0*(\.0*)?$)\d{1,3}(\.\d{1,2})?$/;

export default function FollowDialog({ slug, name, onClose }: { slug: string; name: string; onClose: () => void }) {
  const t = useT();
  const available = useUser((user) => user?.walletInfo?.available ?? null);
  const [mode, setMode] = useState<Mode>('sol');
  const [text, setText] = useState('');
  const [multiplier, setMultiplier] = useState('1');
  const [touched, setTouched] = useState(false);
  const [protection, setProtection] = useState(DEFAULT_PROTECTION);
  const { pending, failed, run, forget } = useMoneyAction();

  const amount = tidyAmount(text);
  const problem = amountProblem(text, available);
  const multiplierWrong = mode === 'position' && !(MULTIPLIER.test(multiplier) && Number(multiplier) <= 10);
  const chosen = protectionRequest(protection);
  // A sum beyond the balance is previewed all the same; only what is no amount cannot be.
  const previewed = problem === null || problem === 'exceeds' ? amount : null;
  const preview = useFollowPreview({ slug, mode, amount: previewed, protection: chosen });
  // Nobody follows without having seen what exactly this costs, or with less than the server takes.
  const isBlocked = preview.small || preview.failed || (problem === null && (preview.waiting || preview.old));

  async function submit(): Promise<void> {
    setTouched(true);
    forget();
    if (problem !== null || multiplierWrong || chosen === null || pending || isBlocked) return;
    const request = { slug, mode, amount, protection: chosen, ...(mode === 'position' ? { multiplier } : {}) };
    await run(async () => {
      await attempt('followStrategy', request).catch((error: unknown) => {
        if (isUnknown(error)) void refreshFollows(slug);
        throw error;
      });
      // A cancel of an earlier follow, of either kind, says nothing about this one.
      settleAll('cancelFollow', { slug });
      toast.success(t('strategy.follow.success'));
      void refreshFollows(slug);
      onClose();
    });
  }

  return (
    <Dialog open onClose={onClose} locked={pending} title={<bdi>{t('strategy.follow.title', { name })}</bdi>}>
      <Form className="flex flex-col gap-4" onSubmit={() => void submit()}>
        <ModeChoice mode={mode} onMode={setMode} disabled={pending} />
        <SolField
          label={t('strategy.follow.amount')}
          value={text}
          onValue={(next) => {
            setText(next);
            forget();
          }}
          available={available}
          availableText={(shown) => t('strategy.follow.amountAside', { amount: shown })}
          error={(touched || problem === 'exceeds') && problem ? t(`strategy.follow.errors.${problem}`) : null}
          disabled={pending}
        />
        {mode === 'position' && (
          <Multiplier value={multiplier} onValue={setMultiplier} wrong={multiplierWrong} disabled={pending} />
        )}
        <p className="text-sm text-muted">{t('strategy.follow.where')}</p>
        <ProtectionDisclosure value={protection} onValue={setProtection} disabled={pending} />
        <FollowPreview preview={preview} />
        {failed && <Warning text={t(failed === 'unknown' ? 'ui.noAnswer' : 'strategy.follow.failed')} />}
        <div className="in-reach">
          <Button type="submit" size="l" className="w-full" pending={pending} disabled={isBlocked}>
            {problem === null ? t('strategy.follow.submit', { amount }) : t('strategy.follow.submitEmpty')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

type ModeChoiceProps = { mode: Mode; onMode: (mode: Mode) => void; disabled: boolean };

function ModeChoice({ mode, onMode, disabled }: ModeChoiceProps) {
  const t = useT();
  return (
    <div className="flex flex-col gap-2">
      <SegmentedControl
        label={t('strategy.follow.mode')}
        value={mode}
        onChange={onMode}
        fill
        options={(['sol', 'position'] as const).map((key) => ({
          key,
          label: t(`strategy.follow.modes.${key}`),
          disabled,
        }))}
      />
      {/* Both in one place, as high as the longer one: changing the mode moves nothing. */}
      <div className="grid text-sm text-muted *:col-start-1 *:row-start-1">
        <p className={mode === 'sol' ? '' : 'invisible'}>{t('strategy.follow.solText')}</p>
        <p className={mode === 'position' ? '' : 'invisible'}>{t('strategy.follow.positionText')}</p>
      </div>
    </div>
  );
}

function Multiplier({
  value,
  onValue,
  wrong,
  disabled,
}: {
  value: string;
  onValue: (text: string) => void;
  wrong: boolean;
  disabled: boolean;
}) {
  const t = useT();
  return (
    <NumberField
      label={t('strategy.follow.multiplier')}
      hint={t('strategy.follow.multiplierHint')}
      error={wrong ? t('strategy.follow.errors.multiplier') : null}
      size="m"
      value={value}
      onValue={onValue}
      decimals={2}
      disabled={disabled}
      before={<span className="text-muted">×</span>}
    />
  );
}
