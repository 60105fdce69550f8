import { useState } from 'react';
import { ApiFailure } from '../../../../data/api-failure.ts';
import { api } from '../../../../data/api.ts';
import { hasFactor, promptFactors } from '../../../../data/factors.ts';
import { randomUuid } from '../../../../data/random-key.ts';
import { refreshCalls, useApiQuery } from '../../../../data/use-api-query.ts';
import { PasswordField } from '../../../../features/session/password-field.tsx';
import { refuseField, type RefusedFields } from '../../../../features/session/refuse-field.ts';
import type { TextKey } from '../../../../i18n/areas.ts';
import { useT } from '../../../../i18n/i18n.ts';
import { Button } from '../../../../ui/button.tsx';
import { copyText } from '../../../../ui/copy-text.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { FactorPrompt } from '../../../../ui/factor-prompt.tsx';
import { SelectField, TextField } from '../../../../ui/fields.tsx';
import { CopyIcon } from '../../../../ui/page-icons.tsx';
import { ownIntent, type SecondFactor } from '../../../../ui/passkey.ts';
import { SegmentedControl } from '../../../../ui/segmented-control.tsx';
import { type Form, useForm } from '../../../../ui/use-form.ts';
import { Warning } from '../../../../ui/warning.tsx';
import { emptyKeyForm, type KeyForm, keyFormErrors, keyRequest } from './api-key-form.ts';

const refusedFields: RefusedFields<KeyForm> = {
  WRONG_PASSWORD: { field: 'password', text: 'account.security.wrongPassword' },
};

/** The key lives in this dialog's memory only and goes with it. */
export default function ApiKeyDialog({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const t = useT();
  const [made, setMade] = useState<string | null>(null);
  const [confirming, setConfirming] = useState<{ values: KeyForm; id: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const factors = useApiQuery('getMyFactors', {}, { quiet: true });
  const form = useForm<KeyForm, TextKey>({
    initial: emptyKeyForm,
    validate: keyFormErrors,
    submit: async (values) => {
      const id = randomUuid();
      if (factors.data && hasFactor(factors.data)) setConfirming({ values, id });
      else await make(values, id);
    },
  });

  async function make(values: KeyForm, id: string, factor?: SecondFactor): Promise<void> {
    setBusy(true);
    try {
      const { key } = await api.call('createApiKey', { ...keyRequest(values, id), ...(factor && { factor }) });
      setMade(key);
      onMade();
      void refreshCalls('getMyAuditLog');
    } catch (error) {
      const isFactor = error instanceof ApiFailure && error.refusal === 'SECOND_FACTOR_WRONG';
      setConfirming((before) => (before && isFactor ? { ...before, id: randomUuid() } : null));
      refuseField<KeyForm>(form, error, refusedFields);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t(made === null ? 'account.apiKeys.makeTitle' : 'account.apiKeys.madeTitle')}
      description={t(made === null ? 'account.apiKeys.makeText' : 'account.apiKeys.madeText')}
      width={480}
      // Shown once: a click beside it must not take it away.
      locked={busy || made !== null}
    >
      {made !== null ? (
        <MadeKey made={made} onClose={onClose} />
      ) : confirming && factors.data ? (
        <FactorPrompt
          {...promptFactors(factors.data)}
          intent={ownIntent('api-key', factors.data.address, confirming.id, confirming.values.scope)}
          busy={busy}
          onFactor={(factor) => void make(confirming.values, confirming.id, factor)}
        />
      ) : (
        <KeyFields form={form} isReady={!factors.isPending} />
      )}
    </Dialog>
  );
}

function KeyFields({ form, isReady }: { form: Form<KeyForm, TextKey>; isReady: boolean }) {
  const t = useT();
  const { values, errors } = form;
  const isTrade = values.scope === 'trade';
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={form.onSubmit} data-testid="api-key-form">
      <TextField
        label={t('account.apiKeys.name')}
        error={errors.name && t(errors.name)}
        {...form.input('name')}
        maxLength={60}
        autoComplete="off"
      />
      <div>
        <SegmentedControl
          label={t('account.apiKeys.scope')}
          fill
          value={values.scope}
          onChange={(scope) => form.set('scope', scope)}
          options={(['read', 'trade'] as const).map((key) => ({ key, label: t(`account.apiKeys.scopes.${key}`) }))}
        />
        <p className="mt-1.5 text-sm text-muted">{t(`account.apiKeys.scopeTexts.${values.scope}`)}</p>
      </div>
      {isTrade && (
        <>
          <TextField
            label={t('account.apiKeys.daily')}
            error={errors.dailySol && t(errors.dailySol)}
            hint={t('account.apiKeys.dailyHint')}
            {...form.input('dailySol')}
            inputMode="decimal"
            autoComplete="off"
            inputClassName="num"
            after={<span className="text-sm font-[550] text-muted">SOL</span>}
          />
          <Warning text={t('account.apiKeys.tradeRisk')} />
        </>
      )}
      <SelectField
        label={t('account.apiKeys.validFor')}
        value={values.days}
        onValue={(days) => form.set('days', days)}
        options={(['7', '30', '90', '365'] as const).map((key) => ({
          key,
          label: t('account.apiKeys.days', { count: key }),
        }))}
      />
      <TextField
        label={t('account.apiKeys.addresses')}
        error={errors.addresses && t(errors.addresses)}
        hint={t('account.apiKeys.addressesHint')}
        {...form.input('addresses')}
        autoComplete="off"
      />
      <PasswordField
        bound={form.input('password')}
        label={t('auth.password')}
        error={errors.password}
        autoComplete="current-password"
        size="m"
      />
      <div className="in-reach">
        <Button type="submit" size="l" className="w-full" pending={form.pending} disabled={!isReady}>
          {t('account.apiKeys.make')}
        </Button>
      </div>
    </form>
  );
}

function MadeKey({ made, onClose }: { made: string; onClose: () => void }) {
  const t = useT();
  return (
    <div className="flex flex-col gap-4">
      <code
        className="rounded-m border border-line bg-bg p-3.5 font-mono text-sm leading-relaxed break-all select-all"
        data-testid="made-api-key"
      >
        {made}
      </code>
      <div className="grid gap-2 sm:grid-cols-2">
        <Button tone="ghost" icon={<CopyIcon size={15} />} onClick={() => void copyText(made)}>
          {t('account.apiKeys.copy')}
        </Button>
        <Button onClick={onClose}>{t('account.apiKeys.saved')}</Button>
      </div>
    </div>
  );
}
