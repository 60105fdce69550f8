import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useT } from '../../i18n/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { requestOf, textOf, wrongFields } from './settings-form.ts';
import { SettingsFields } from './settings-fields.tsx';
import type { WalletFollow } from './wallet-follow.ts';

type Props = { follow: WalletFollow; onClose: () => void; onSaved: () => void };

/** Changes what of a wallet is copied from now on. */
export default function EditWalletFollowDialog({ follow, onClose, onSaved }: Props) {
  const t = useT();
  const [value, setValue] = useState(() => textOf(follow.settings));
  return (
    <FormDialog
      width={560}
      title={<bdi>{t('walletFollow.editTitle', { name: follow.name })}</bdi>}
      submitLabel={t('walletFollow.save')}
      disabled={wrongFields(value).size > 0}
      onSubmit={async () => {
        await api.call('updateWalletFollow', { id: follow.id, settings: requestOf(value) });
        toast.success(t('walletFollow.saved'));
        onSaved();
      }}
      onClose={onClose}
    >
      {(pending) => <SettingsFields value={value} onValue={setValue} disabled={pending} />}
    </FormDialog>
  );
}
