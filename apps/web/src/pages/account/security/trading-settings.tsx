import { useState } from 'react';
import { useAppConfig } from '../../../data/app-config.ts';
import { useApiMutation, useApiQuery } from '../../../data/use-api-query.ts';
import { useT } from '../../../i18n/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { toast } from '../../../ui/toast-store.ts';
import { printSlippage, readSlippage } from './slippage.ts';
import { QueryError } from '../../../ui/error-state.tsx';
import { Form } from '../../../ui/form.tsx';

export function TradingSettings() {
  const t = useT();
  const settings = useApiQuery('getMySettings', {}, { quiet: true });
  const save = useApiMutation('saveMySettings', { refresh: ['getMySettings'] });
  const maxBps = useAppConfig()?.maxSlippageBps ?? 5_000;
  const [typed, setTyped] = useState<string | null>(null);
  if (settings.isError && !settings.data) return <QueryError query={settings} height={110} />;
  if (!settings.data) return <Skeleton height={110} />;
  const { slippageBps, quietNotices } = settings.data;
  const text = typed ?? printSlippage(slippageBps);
  const bps = readSlippage(text, maxBps);
  const max = printSlippage(maxBps);

  async function store(change: { slippageBps?: number; quietNotices?: boolean }): Promise<void> {
    try {
      await save.mutateAsync(change);
      toast.success(t('account.security.saved'));
      if (change.slippageBps !== undefined) setTyped(null);
    } catch {
      // The reason is shown as a toast.
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <Form
        onSubmit={() => {
          if (bps !== null) void store({ slippageBps: bps });
        }}
      >
        <Field
          label={t('account.security.slippage')}
          hint={t('account.security.slippageHint', { max })}
          error={bps === null ? t('account.security.slippageInvalid', { max }) : null}
        >
          {(input) => (
            <div className="flex gap-2">
              <NumberInput
                {...input}
                name="slippage"
                size="m"
                className="max-w-40"
                value={text}
                onValue={setTyped}
                decimals={2}
                after={<span className="text-muted">%</span>}
              />
              <Button
                type="submit"
                tone="ghost"
                pending={save.isPending}
                disabled={bps === null || bps === slippageBps}
              >
                {t('account.security.save')}
              </Button>
            </div>
          )}
        </Field>
      </Form>
      <QuietChoice
        quiet={quietNotices}
        disabled={save.isPending}
        onQuiet={(quiet) => void store({ quietNotices: quiet })}
      />
    </div>
  );
}

type QuietChoiceProps = { quiet: boolean; disabled: boolean; onQuiet: (quiet: boolean) => void };

function QuietChoice({ quiet, disabled, onQuiet }: QuietChoiceProps) {
  const t = useT();
  return (
    <Checkbox
      checked={quiet}
      disabled={disabled}
      onChecked={onQuiet}
      label={
        <>
          <span className="font-semibold">{t('account.security.quiet')}</span>
          <span className="block text-sm text-muted">{t('account.security.quietText')}</span>
        </>
      }
    />
  );
}
