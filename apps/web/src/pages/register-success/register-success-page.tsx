import { Navigate, useBlocker, useRouter } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { useUser } from '../../data/session.ts';
import { HiddenKey } from '../../features/session/hidden-key.tsx';
import { forgetNewWallet, newWallet } from '../../features/session/new-wallet.ts';
import type { NewWallet } from '../../features/session/new-wallet.ts';
import { useT } from '../../i18n/i18n.ts';
import { HOME_PATH } from '../../safe-redirect.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { copyAddress } from '../../ui/copy-text.ts';
import { CopyIcon, DownloadIcon, ShieldIcon } from '../../ui/page-icons.tsx';
import { toast } from '../../ui/toast-store.ts';
import { downloadText } from '../../ui/download-text.ts';

const LeaveDialog = late(() => import('./leave-dialog.tsx'));

/** Shown once, right after registering. Without a wallet in memory there is nothing to show, and the visitor moves on. */
export default function RegisterSuccessPage() {
  const user = useUser();
  const [wallet] = useState(newWallet);
  if (!wallet) return <Navigate to={user ? HOME_PATH : '/register'} replace />;
  return <WalletCard wallet={wallet} />;
}

function WalletCard({ wallet }: { wallet: NewWallet }) {
  const t = useT();
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const [reminded, setReminded] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !saved,
    enableBeforeUnload: () => !saved,
    withResolver: true,
  });
  useEffect(() => () => forgetNewWallet(), []);

  return (
    <div className="flex min-h-[calc(100dvh-var(--header-height))] items-start justify-center bg-[image:var(--glow)] px-4 py-8 sm:items-center">
      <section className="card flex w-full max-w-[560px] flex-col gap-5 p-5 shadow-pop sm:p-7">
        <div className="flex gap-3.5">
          <span className="grid size-11 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-text">
            <ShieldIcon size={22} />
          </span>
          <div>
            <h1>{t('newWallet.title')}</h1>
            <p className="mt-1.5 text-muted">{t('newWallet.text')}</p>
          </div>
        </div>

        <AddressAndKey wallet={wallet} />

        <ul className="flex list-disc flex-col gap-1 pl-4 text-sm text-muted">
          {(['offline', 'never', 'lost'] as const).map((rule) => (
            <li key={rule}>{t(`newWallet.rules.${rule}`)}</li>
          ))}
        </ul>

        <div className="flex flex-col gap-3 border-t border-line pt-5">
          <SavedCheck saved={saved} onSaved={setSaved} missing={reminded && !saved} />
          <Button
            size="l"
            className="w-full"
            onClick={() => {
              if (saved) router.history.replace(wallet.goOn);
              else setReminded(true);
            }}
          >
            {t('newWallet.enter')}
          </Button>
        </div>
      </section>
      {blocker.status === 'blocked' && <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />}
    </div>
  );
}

function AddressAndKey({ wallet }: { wallet: NewWallet }) {
  const t = useT();
  function download(): void {
    const file = `hunter-wallet-${wallet.address.slice(0, 8)}.txt`;
    const lines = [
      `${t('newWallet.fileAddress')}: ${wallet.address}`,
      `${t('newWallet.fileKey')}: ${wallet.privateKey}`,
      '',
      t('newWallet.fileWarning'),
      '',
    ];
    downloadText(file, lines.join('\n'));
    toast.success(t('newWallet.downloaded', { file }));
  }
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <h2 className="text-sm! font-[550] text-muted">{t('newWallet.address')}</h2>
        <div className="flex items-center gap-2 rounded-m border border-line bg-bg py-1.5 pr-1.5 pl-3.5">
          <span className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="wallet-address">
            {wallet.address}
          </span>
          <Button
            tone="ghost"
            size="s"
            icon={<CopyIcon size={14} />}
            aria-label={t('newWallet.copyAddress')}
            onClick={() => void copyAddress(wallet.address)}
          >
            {t('ui.copy')}
          </Button>
        </div>
      </div>

      <div className="flex flex-col gap-1.5">
        <h2 className="text-sm! font-[550] text-muted">{t('newWallet.privateKey')}</h2>
        <HiddenKey privateKey={wallet.privateKey}>
          <Button tone="ghost" icon={<DownloadIcon size={15} />} onClick={download}>
            {t('newWallet.download')}
          </Button>
        </HiddenKey>
      </div>
    </>
  );
}

type SavedCheckProps = { saved: boolean; onSaved: (saved: boolean) => void; missing: boolean };

function SavedCheck({ saved, onSaved, missing }: SavedCheckProps) {
  const t = useT();
  const errorId = useId();
  return (
    <>
      <Checkbox
        checked={saved}
        onChecked={onSaved}
        label={t('newWallet.saved')}
        aria-invalid={missing ? true : undefined}
        aria-describedby={missing ? errorId : undefined}
      />
      {missing && (
        <p id={errorId} role="alert" className="text-sm text-down">
          {t('newWallet.mustSave')}
        </p>
      )}
    </>
  );
}
