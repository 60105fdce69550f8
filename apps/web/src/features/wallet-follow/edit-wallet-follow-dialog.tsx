import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { requestOf, textOf, wrongFields } from './settings-form.ts';
import { SettingsFields } from './settings-fields.tsx';
import type { WalletFollow } from './wallet-follow.ts';

type Props = { follow: WalletFollow; onClose: () => void; onSaved: () => void };

/** Changes what of a wallet is copied from now on. */
export default function EditWalletFollowDialog({ follow, onClose, onSaved }: Props) {
  const t = useT();
  const [value, setValue] = useState(() => textOf(follow.settings));
  const [pending, setPending] = useState(false);
  const isWrong = wrongFields(value).size > 0;

  async function save(): Promise<void> {
    if (isWrong || pending) return;
    setPending(true);
    try {
      await api.call('updateWalletFollow', { id: follow.id, settings: requestOf(value) });
      toast.success(t('walletFollow.saved'));
      onSaved();
      onClose();
    } catch {
      // The call has told why; what was typed stays.
    } finally {
      setPending(false);
    }
  }

  const footer = (
    <Button pending={pending} disabled={isWrong} onClick={() => void save()}>
      {t('walletFollow.save')}
    </Button>
  );
  return (
    <Dialog
      open
      width={560}
      onClose={onClose}
      locked={pending}
      title={<bdi>{t('walletFollow.editTitle', { name: follow.name })}</bdi>}
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        <SettingsFields value={value} onValue={setValue} disabled={pending} />
      </div>
    </Dialog>
  );
}
