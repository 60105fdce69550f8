import { useEffect } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { SelectField, TextField } from '../../ui/fields.tsx';
import { Tokens } from '../../ui/numbers.tsx';
import { Select } from '../../ui/select.tsx';
import { SolField } from '../../ui/sol-field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { Form } from '../../ui/use-form.ts';
import { SOL_ASSET } from './withdraw-form.ts';
import type { WithdrawProblem, WithdrawValues } from './withdraw-form.ts';
import type { WithdrawableAsset } from './withdrawable-assets.ts';
import { WithdrawalList } from './withdrawal-list.tsx';

export function WithdrawFields({
  form,
  assets,
  walletAddress,
}: {
  form: Form<WithdrawValues, WithdrawProblem>;
  assets: readonly WithdrawableAsset[];
  walletAddress: string | null;
}) {
  const t = useT();
  const chosen = assets.find((one) => one.asset === form.values.asset) ?? assets[0]!;
  // A token that was sold or sent meanwhile: its amount is none of SOL.
  useEffect(() => {
    if (chosen.asset === form.values.asset) return;
    form.set('asset', chosen.asset);
    form.clear('amount');
  });
  const error = (field: keyof WithdrawValues) => {
    const problem = form.errors[field];
    return problem ? t(`account.withdrawDialog.errors.${problem}`) : null;
  };
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={form.onSubmit}>
      <div>
        <h3 className="mb-1">{t('account.withdrawDialog.from')}</h3>
        <p className="rounded-m bg-hover px-3 py-2 font-mono text-sm break-all text-muted" data-testid="from-wallet">
          {walletAddress ?? '-'}
        </p>
      </div>
      {assets.length > 1 && (
        <SelectField
          label={t('account.withdrawDialog.asset')}
          value={form.values.asset}
          onValue={(asset) => {
            form.set('asset', asset);
            form.clear('amount');
          }}
          options={assets.map(({ asset, symbol }) => ({
            key: asset,
            label: asset === SOL_ASSET ? symbol : `${symbol} · ${asset.slice(0, 4)}…${asset.slice(-4)}`,
          }))}
          disabled={form.pending}
        />
      )}
      <Destination form={form} error={error('toWallet')} />
      {chosen.asset === SOL_ASSET ? (
        <SolField
          label={t('account.withdrawDialog.amount')}
          value={form.values.amount}
          onValue={(text) => form.set('amount', text)}
          onBlur={() => form.values.amount !== '' && form.touch('amount')}
          available={chosen.available}
          max={chosen.available ?? undefined}
          availableText={(amount) => t('account.withdrawDialog.withdrawable', { amount })}
          error={error('amount')}
          hint={t('account.withdrawDialog.locked')}
          disabled={form.pending}
        />
      ) : (
        <TokenAmount form={form} chosen={chosen} error={error('amount')} />
      )}
      <Button type="submit" size="l" className="w-full" pending={form.pending}>
        {t('account.withdrawDialog.review')}
      </Button>
      <WithdrawalList />
    </form>
  );
}

function Destination({ form, error }: { form: Form<WithdrawValues, WithdrawProblem>; error: string | null }) {
  const t = useT();
  return (
    <Field
      label={t('account.withdrawDialog.to')}
      error={error}
      aside={<span className="text-xs text-faint">{t('account.withdrawDialog.network')}</span>}
    >
      {(input) => (
        <div className="flex flex-col gap-2">
          <TextInput
            {...input}
            {...form.input('toWallet')}
            size="l"
            inputClassName="font-mono text-sm!"
            autoComplete="off"
            spellCheck={false}
            maxLength={60}
            placeholder={t('account.withdrawDialog.toPlaceholder')}
            disabled={form.pending}
          />
          <SavedAddresses disabled={form.pending} onAddress={(address) => form.set('toWallet', address)} />
        </div>
      )}
    </Field>
  );
}

function TokenAmount({
  form,
  chosen,
  error,
}: {
  form: Form<WithdrawValues, WithdrawProblem>;
  chosen: WithdrawableAsset;
  error: string | null;
}) {
  const t = useT();
  return (
    <TextField
      label={t('account.withdrawDialog.tokenAmount')}
      error={error}
      hint={t('account.withdrawDialog.tokenHint')}
      aside={
        <button
          type="button"
          className="num text-sm text-accent-text hover:underline"
          disabled={form.pending || chosen.available === null}
          onClick={() => form.set('amount', chosen.available ?? '')}
          data-testid="available"
        >
          {t('ui.max')}: <Tokens value={chosen.available} />
        </button>
      }
      {...form.input('amount')}
      size="l"
      type="text"
      inputMode="decimal"
      autoComplete="off"
      maxLength={40}
      inputClassName="num text-xl font-semibold"
      placeholder="0.0"
      disabled={form.pending}
      after={<bdi className="text-sm font-[550] text-muted">{chosen.symbol}</bdi>}
    />
  );
}

function SavedAddresses({ disabled, onAddress }: { disabled: boolean; onAddress: (address: string) => void }) {
  const t = useT();
  const saved = useApiQuery('getMyWithdrawalAddresses', {}, { quiet: true });
  const addresses = saved.data?.lists ?? [];
  if (addresses.length === 0) return null;
  return (
    <Select
      aria-label={t('account.addresses.pick')}
      value=""
      onValue={onAddress}
      disabled={disabled}
      options={[
        { key: '', label: t('account.addresses.pick') },
        ...addresses.map(({ toWallet, label, usedBefore }) => ({
          key: toWallet,
          label: `${label} · ${toWallet.slice(0, 4)}…${toWallet.slice(-4)}${usedBefore ? '' : ` · ${t('account.addresses.unused')}`}`,
        })),
      ]}
    />
  );
}
