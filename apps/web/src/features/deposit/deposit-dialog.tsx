import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useAppConfig } from '../../data/app-config.ts';
import { useUser } from '../../data/session.ts';
import { useMyStream } from '../../data/stream.ts';
import { refreshCalls } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { copyAddress } from '../../ui/copy-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CopyIcon } from '../../ui/page-icons.tsx';
import { usePending } from '../../ui/use-pending.ts';
import { DepositList } from './deposit-list.tsx';
import { NewestDeposit, type Deposit } from './newest-deposit.tsx';

const FAUCET_SOL = '10';

export default function DepositDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const address = useUser((user) => user?.walletInfo?.walletAddress ?? null);
  const local = useAppConfig()?.mode === 'local';
  const [received, setReceived] = useState<Deposit | null>(null);
  const [asking, run] = usePending();

  function refresh(): void {
    void refreshCalls('getMyDeposits', 'getMyAccount');
  }
  useMyStream(
    'deposits',
    (deposit) => {
      setReceived(deposit);
      refresh();
    },
    refresh,
  );

  const askFaucet = () =>
    run(async () => {
      await api.call('faucet', { amount: FAUCET_SOL });
      refresh();
    });

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('account.depositDialog.title')}
      description={t('account.depositDialog.text')}
      width={460}
    >
      <div className="flex flex-col gap-4">
        <DepositAddress address={address} />
        <p className="text-sm text-warn">{t('account.depositDialog.onlySolana')}</p>
        <NewestDeposit deposit={received} />
        {local && (
          <div className="flex items-center justify-between gap-4 rounded-m border border-dashed border-warn/50 px-3.5 py-2.5">
            <p className="text-sm text-muted">{t('account.depositDialog.faucetText')}</p>
            <Button tone="ghost" size="s" pending={asking} onClick={() => void askFaucet()}>
              {t('account.depositDialog.faucet', { amount: FAUCET_SOL })}
            </Button>
          </div>
        )}
        <DepositList />
      </div>
    </Dialog>
  );
}

function DepositAddress({ address }: { address: string | null }) {
  const t = useT();
  return (
    <div className="flex items-center gap-4 max-[420px]:flex-col">
      {/* Always dark on white, whatever the theme: scanners expect it. */}
      <div className="shrink-0 rounded-xl bg-white p-3" role="img" aria-label={t('account.depositDialog.qr')}>
        {address ? (
          <QRCodeSVG value={address} size={132} level="M" aria-hidden="true" data-testid="deposit-qr" />
        ) : (
          <div className="size-[132px]" />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2.5">
        <div>
          <h3>{t('account.depositDialog.network')}</h3>
          <p className="font-semibold">{t('account.depositDialog.networkName')}</p>
        </div>
        <div>
          <h3>{t('account.depositDialog.address')}</h3>
          <p className="font-mono text-sm break-all" data-testid="deposit-address">
            {address ?? '-'}
          </p>
        </div>
        <Button
          tone="ghost"
          size="s"
          className="self-start"
          icon={<CopyIcon size={14} />}
          disabled={address === null}
          onClick={() => void copyAddress(address ?? '')}
        >
          {t('account.depositDialog.copy')}
        </Button>
      </div>
    </div>
  );
}
