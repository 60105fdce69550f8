import { useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CopyIcon } from '../../ui/icons.tsx';
import { TxHash } from '../../ui/tx-hash.tsx';
import type { StrategyDetail } from './strategy-detail.ts';

/** Where the trades stand on chain, and the command that recomputes the figures from them. */
export default function VerifyDialog({ strategy, onClose }: { strategy: StrategyDetail; onClose: () => void }) {
  const t = useT();
  const command = `npm run verify -- ${strategy.slug}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('strategy.verify.title')}
      description={t('strategy.verify.text')}
      width={500}
    >
      <div className="flex flex-col gap-4">
        <div>
          <h3 className="mb-1">{t('strategy.verify.wallet')}</h3>
          <Address address={strategy.verify.wallet} full />
        </div>
        {strategy.verify.publishTxHash !== null && (
          <div>
            <h3 className="mb-1">{t('strategy.verify.first')}</h3>
            <TxHash hash={strategy.verify.publishTxHash} />
          </div>
        )}
        <div>
          <h3 className="mb-1">{t('strategy.verify.command')}</h3>
          <div className="flex items-center gap-2 rounded-m border border-line bg-bg py-1 pr-1 pl-3.5">
            <code className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="verify-command">
              {command}
            </code>
            <IconButton label={t('strategy.verify.copyCommand')} onClick={() => void copyText(command)}>
              <CopyIcon size={15} />
            </IconButton>
          </div>
          <p className="mt-2 text-sm text-faint">{t('strategy.verify.commandText')}</p>
        </div>
      </div>
    </Dialog>
  );
}
