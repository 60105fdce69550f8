import type { CallReply } from '@hunter/contract/calls';
import { useApiQuery } from '../../../data/use-api-query.ts';
import { useT } from '../../../i18n/i18n.ts';
import { IconButton } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { QueryError } from '../../../ui/error-state.tsx';
import { CopyIcon } from '../../../ui/page-icons.tsx';
import { RelativeTime } from '../../../ui/relative-time-text.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

export function Invites() {
  const t = useT();
  const invites = useApiQuery('getMyInvites', {}, { quiet: true });
  if (invites.isError && !invites.data) return <QueryError query={invites} height={80} />;
  if (!invites.data) return <Skeleton height={44} />;
  if (invites.data.lists.length === 0) {
    return <p className="text-sm text-faint">{t('account.security.noInvites')}</p>;
  }
  return (
    <>
      {invites.data.invitedBy !== null && (
        <p className="mb-2 text-sm text-muted">
          {t('account.security.invitedBy')} <bdi className="text-text">{invites.data.invitedBy}</bdi>
        </p>
      )}
      <ul className="flex flex-col gap-2" data-testid="invites">
        {invites.data.lists.map((invite) => (
          <Invite key={invite.code} invite={invite} />
        ))}
      </ul>
    </>
  );
}

function Invite({ invite }: { invite: CallReply<'getMyInvites'>['lists'][number] }) {
  const t = useT();
  return (
    <li className="rounded-m border border-line bg-bg py-1 pr-1 pl-3.5">
      <div className="flex items-center justify-between gap-3">
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
      </div>
      {invite.usedBy.length > 0 && (
        <p className="pr-2.5 pb-1.5 text-sm text-muted" data-testid="invite-used">
          {t('account.security.usedBy')}{' '}
          {invite.usedBy.map(({ name, time }, index) => (
            <span key={name}>
              {index > 0 && ' · '}
              <bdi className="text-text">{name}</bdi> <RelativeTime timeMs={time} />
            </span>
          ))}
        </p>
      )}
    </li>
  );
}
