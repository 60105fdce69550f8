import { useState } from 'react';
import { hasFactor, type MyFactors } from '../../../../data/factors.ts';
import { useApiQuery } from '../../../../data/use-api-query.ts';
import { useI18n, useT } from '../../../../i18n/i18n.ts';
import { late } from '../../../../ui/late.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { QueryError } from '../../../../ui/error-state.tsx';
import { canUsePasskeys } from '../../../../ui/passkey.ts';
import { RelativeTime } from '../../../../ui/relative-time-text.tsx';
import { exactTime } from '../../../../ui/relative-time.ts';
import { Skeleton } from '../../../../ui/skeleton.tsx';
import type { FactorAction } from './factor-change.ts';

const FactorDialog = late(() => import('./factor-dialog.tsx'));

/** Second factors: what is enrolled, and every change of it. */
export function FactorsBlock() {
  const t = useT();
  const factors = useApiQuery('getMyFactors', {}, { quiet: true });
  const [action, setAction] = useState<FactorAction | null>(null);
  // One that could not be read anew must not take an open dialog along, which may be showing recovery codes.
  if (factors.isError && !factors.data) return <QueryError query={factors} height={100} />;
  if (!factors.data) return <Skeleton height={96} />;
  const { rpId, passkeys, totp, recoveryCodesLeft, loginRequired } = factors.data;
  const isEnrolled = hasFactor(factors.data);
  const canAddPasskey = canUsePasskeys(rpId);
  return (
    <div className="flex flex-col gap-3" data-testid="factors">
      <RecoveryNotice factors={factors.data} onAction={setAction} />
      {isEnrolled && (
        <ul className="flex flex-col">
          {[...passkeys, ...(totp ? [totp] : [])].map((factor) => (
            <FactorRow
              key={factor.id}
              factor={factor}
              kind={factor === totp ? 'totp' : 'passkey'}
              onRemove={() => setAction({ kind: 'remove', id: factor.id, name: factor.name })}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <Button tone="ghost" disabled={!canAddPasskey} onClick={() => setAction({ kind: 'passkey' })}>
          {t('account.security.factors.addPasskey')}
        </Button>
        {!totp && (
          <Button tone="ghost" onClick={() => setAction({ kind: 'totp' })}>
            {t('account.security.factors.addTotp')}
          </Button>
        )}
      </div>
      {!canAddPasskey && (
        <p className="text-sm text-muted">{t('account.security.factors.passkeyAt', { domain: rpId })}</p>
      )}
      {isEnrolled && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <span className="num text-muted">
              {t('account.security.factors.codesLeft', { count: recoveryCodesLeft })}
            </span>
            <Button tone="ghost" size="s" onClick={() => setAction({ kind: 'codes' })}>
              {t('account.security.factors.newCodes')}
            </Button>
          </div>
          <Checkbox
            label={t('account.security.factors.atLogin')}
            checked={loginRequired}
            onChecked={(on) => setAction({ kind: 'login-rule', on })}
          />
          {factors.data.recovery === null && (
            <button
              type="button"
              className="self-start text-sm font-medium text-accent-text hover:underline"
              onClick={() => setAction({ kind: 'recover' })}
            >
              {t('account.security.factors.lost')}
            </button>
          )}
        </>
      )}
      {action && <FactorDialog action={action} factors={factors.data} onClose={() => setAction(null)} />}
    </div>
  );
}

function FactorRow({
  factor,
  kind,
  onRemove,
}: {
  factor: MyFactors['passkeys'][number];
  kind: 'totp' | 'passkey';
  onRemove: () => void;
}) {
  const t = useT();
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line/55 py-2.5">
      <span className="min-w-0">
        <bdi className="block truncate font-semibold">{factor.name}</bdi>
        <span className="text-sm text-faint">
          {t(`account.security.factors.${kind}`)} ·{' '}
          {factor.lastUsedAt === null ? (
            t('account.security.factors.neverUsed')
          ) : (
            <>
              {t('account.security.factors.lastUsed')} <RelativeTime timeMs={factor.lastUsedAt} />
            </>
          )}
        </span>
      </span>
      <Button
        tone="ghost"
        size="s"
        aria-label={t('account.security.factors.removeLabel', { name: factor.name })}
        onClick={onRemove}
      >
        {t('account.security.factors.remove')}
      </Button>
    </li>
  );
}

/** Somebody with the password waits for all factors to go; the owner sees it here first. */
function RecoveryNotice({ factors, onAction }: { factors: MyFactors; onAction: (action: FactorAction) => void }) {
  const { t, language } = useI18n();
  const [nowMs] = useState(() => Date.now());
  if (factors.recovery === null) return null;
  const { readyAt } = factors.recovery;
  const isReady = readyAt <= nowMs;
  return (
    <div className="flex flex-col gap-2 rounded-m bg-warn-soft px-3 py-2.5" role="alert" data-testid="recovery">
      <p className="text-sm text-warn">
        {t(isReady ? 'account.security.factors.ready' : 'account.security.factors.waits', {
          time: exactTime(readyAt, language),
        })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="s" tone="ghost" onClick={() => onAction({ kind: 'cancel-recovery' })}>
          {t('account.security.factors.cancelRecovery')}
        </Button>
        <Button size="s" onClick={() => onAction({ kind: 'finish-recovery' })}>
          {t('account.security.factors.finishRecovery')}
        </Button>
      </div>
    </div>
  );
}
