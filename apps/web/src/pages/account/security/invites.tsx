import { useApiQuery } from '../../../data/use-api-query.ts';
import { useT } from '../../../i18n/i18n.ts';
import { IconButton } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { CopyIcon } from '../../../ui/icons.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

export function Invites() {
  const t = useT();
  const invites = useApiQuery('getMyInvites', {}, { quiet: true });
  if (invites.isError) {
    return <ErrorState height={80} error={invites.error} onRetry={() => void invites.refetch()} />;
  }
  if (!invites.data) return <Skeleton height={44} />;
  if (invites.data.lists.length === 0) {
    return <p className="text-sm text-faint">{t('account.security.noInvites')}</p>;
  }
  return (
    <ul className="flex flex-col gap-2" data-testid="invites">
      {invites.data.lists.map((invite) => (
        <li
          key={invite.code}
          className="flex items-center justify-between gap-3 rounded-m border border-line bg-bg py-1 pr-1 pl-3.5"
        >
          <code className="font-mono text-sm font-semibold">{invite.code}</code>
          <span className="flex items-center gap-2">
            <span className="num text-sm text-muted">
              {t('account.security.usesLeft', { left: invite.usesLeft, total: invite.usesTotal })}
            </span>
            <IconButton
              label={t('account.security.copyInvite', { code: invite.code })}
              onClick={() => void copyText(invite.code)}
            >
              <CopyIcon size={15} />
            </IconButton>
          </span>
        </li>
      ))}
    </ul>
  );
}
