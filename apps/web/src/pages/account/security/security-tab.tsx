import { useT } from '../../../i18n/i18n.ts';
import { SavedAddresses } from '../../../features/withdraw/saved-addresses.tsx';
import { WithdrawalLimits } from '../../../features/withdraw/withdrawal-limits.tsx';
import { ApiKeysBlock } from './api-keys/api-keys-block.tsx';
import { AuditList } from './audit-list.tsx';
import { FactorsBlock } from './factors/factors-block.tsx';
import { Invites } from './invites.tsx';
import { KeyExport } from './key-export.tsx';
import { OperatorReads } from './operator-reads.tsx';
import { PasswordChange } from './password-change.tsx';
import { SessionList } from './session-list.tsx';
import { TradingSettings } from './trading-settings.tsx';

export default function SecurityTab() {
  const t = useT();
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-7 p-4 sm:p-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-7">
        <Block title={t('account.security.trading')}>
          <TradingSettings />
        </Block>
        <Block title={t('account.security.password')} text={t('account.security.passwordText')}>
          <PasswordChange />
        </Block>
        <Block title={t('account.security.factors.title')} text={t('account.security.factors.text')}>
          <FactorsBlock />
        </Block>
        <Block title={t('account.limits.title')} text={t('account.limits.text')}>
          <WithdrawalLimits />
        </Block>
        <Block title={t('account.addresses.title')} text={t('account.addresses.text')}>
          <SavedAddresses />
        </Block>
        <Block title={t('account.security.key')} text={t('account.security.keyText')}>
          <KeyExport />
        </Block>
      </div>
      <div className="flex min-w-0 flex-col gap-7">
        <Block title={t('account.security.sessions')} text={t('account.security.sessionsText')}>
          <SessionList />
        </Block>
        <Block title={t('account.apiKeys.title')} text={t('account.apiKeys.text')}>
          <ApiKeysBlock />
        </Block>
        <Block title={t('account.reads.title')} text={t('account.reads.text')}>
          <OperatorReads />
        </Block>
        <Block title={t('account.security.invites')} text={t('account.security.invitesText')}>
          <Invites />
        </Block>
        <Block title={t('account.security.audit')} text={t('account.security.auditText')}>
          <AuditList />
        </Block>
      </div>
    </div>
  );
}

function Block({ title, text, children }: { title: string; text?: string; children: React.ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {text && <p className="mt-0.5 text-sm text-muted">{text}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}
