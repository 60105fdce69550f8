import type { CallReply } from '@hunter/contract/calls';
import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { useState } from 'react';
import { useApiMutation, useApiQuery } from '../../data/use-api-query.ts';
import { useI18n, useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { amountProblem, tidyAmount } from '../../ui/sol-amount.ts';
import { toast } from '../../ui/toast-store.ts';

type Limits = CallReply<'getMyWithdrawalLimits'>;

export function WithdrawalLimits() {
  const limits = useApiQuery('getMyWithdrawalLimits', {}, { quiet: true });
  if (limits.isError && !limits.data) return <QueryError query={limits} height={80} />;
  if (!limits.data) return <Skeleton height={120} />;
  const { now, next } = limits.data;
  return <LimitsForm key={JSON.stringify([now, next])} limits={limits.data} />;
}

/** Lower holds at once; higher, or without the delay, after a day. Both need the password: lower limits can keep their owner from his money. */
function LimitsForm({ limits }: { limits: Limits }) {
  const t = useT();
  const { now, next, dailySolMax, largeSol } = limits;
  const save = useApiMutation('saveMyWithdrawalLimits', { refresh: ['getMyWithdrawalLimits'] });
  const [daily, setDaily] = useState(now.dailySol ?? '');
  const [delaysNew, setDelaysNew] = useState(now.delaysNew);
  const [password, setPassword] = useState('');
  const { dailySol, problem, isLooser, isOther } = compareLimits(limits, daily, delaysNew);
  // To save what holds already is how a raise that waits is canceled.
  const isChanged = problem === null && (next !== null || isOther);
  return (
    <Form
      className="flex flex-col gap-3"
      onSubmit={() => {
        if (!isChanged) return;
        save
          .mutateAsync({ dailySol, delaysNew, ...(isOther ? { password } : {}) })
          .then(() => toast.success(t('account.security.saved')))
          // The reason is shown as a toast.
          .catch(() => {});
      }}
      data-testid="withdrawal-limits"
    >
      <DailyLimit value={daily} onValue={setDaily} problem={problem} max={dailySolMax} />
      <Checkbox
        checked={delaysNew}
        onChecked={setDelaysNew}
        label={
          <span>
            {t('account.limits.delaysNew')}
            <span className="block text-sm text-muted">{t('account.limits.delaysNewText', { large: largeSol })}</span>
          </span>
        }
      />
      {next && <RaisedLimits next={next} />}
      {isOther && (
        <TextField
          label={t('account.withdrawDialog.password')}
          {...(isLooser ? { hint: t('account.limits.raiseHint') } : {})}
          type="password"
          className="max-w-60"
          autoComplete="current-password"
          maxLength={256}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      <Button
        type="submit"
        tone="ghost"
        className="self-start"
        pending={save.isPending}
        disabled={!isChanged || (isOther && password === '')}
      >
        {t('account.security.save')}
      </Button>
    </Form>
  );
}

type Problem = 'invalid' | 'tooHigh';

/** What is typed beside the limits that hold now. */
function compareLimits({ now, dailySolMax }: Limits, daily: string, delaysNew: boolean) {
  const dailySol = daily.trim() === '' ? null : tidyAmount(daily);
  const problem: Problem | null =
    dailySol === null
      ? null
      : amountProblem(dailySol, null) !== null
        ? 'invalid'
        : dailySol !== now.dailySol && compareDecimals(dailySol, dailySolMax) > 0
          ? 'tooHigh'
          : null;
  const isValid = problem === null;
  const isHigher =
    isValid && now.dailySol !== null && (dailySol === null || compareDecimals(dailySol, now.dailySol) > 0);
  return {
    dailySol,
    problem,
    isLooser: isHigher || (now.delaysNew && !delaysNew),
    isOther: isValid && (dailySol !== now.dailySol || delaysNew !== now.delaysNew),
  };
}

function DailyLimit({
  value,
  onValue,
  problem,
  max,
}: {
  value: string;
  onValue: (value: string) => void;
  problem: Problem | null;
  max: string;
}) {
  const t = useT();
  return (
    <TextField
      label={t('account.limits.daily')}
      hint={t('account.limits.dailyHint', { max })}
      error={
        problem &&
        t(problem === 'tooHigh' ? 'account.limits.tooHigh' : 'account.withdrawDialog.errors.invalid', { max })
      }
      value={value}
      inputMode="decimal"
      autoComplete="off"
      maxLength={30}
      className="max-w-60"
      inputClassName="num"
      placeholder={t('account.limits.none')}
      after={<span className="text-muted">SOL</span>}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}

function RaisedLimits({ next }: { next: NonNullable<Limits['next']> }) {
  const { t, language } = useI18n();
  return (
    <p className="rounded-m bg-warn-soft px-3 py-2 text-sm text-warn" data-testid="raised-limits">
      {t('account.limits.next', {
        time: exactTime(next.from, language),
        daily: next.dailySol === null ? t('account.limits.none') : `${next.dailySol} SOL`,
        delay: t(next.delaysNew ? 'account.limits.delayOn' : 'account.limits.delayOff'),
      })}
    </p>
  );
}
