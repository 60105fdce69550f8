import { api } from '../../data/api.ts';
import { refreshCalls } from '../../data/use-api-query.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useForm } from '../../ui/use-form.ts';

const NAME_MAX = 32;
const FORM_ID = 'track-wallet';

function validate({ name }: { name: string }): { name?: TextKey } {
  const { length } = name.trim();
  if (length === 0) return { name: 'wallet.track.nameRequired' };
  return length > NAME_MAX ? { name: 'wallet.track.nameTooLong' } : {};
}

export function refreshTracked(): void {
  void refreshCalls('getMyTrackedWallets', 'getWallet');
}

/** Gives a wallet a name of one's own, or another one. */
export function TrackDialog({ address, name, onClose }: { address: string; name: string; onClose: () => void }) {
  const t = useT();
  const form = useForm<{ name: string }, TextKey>({
    initial: { name },
    validate,
    submit: async (values) => {
      try {
        await api.call('trackWallet', { address, name: values.name.trim() });
      } catch {
        // The refusal is shown by the call itself; what was typed stays.
        return;
      }
      refreshTracked();
      toast.success(t('wallet.track.saved'));
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('wallet.track.title')}
      description={t('wallet.track.text')}
      footer={
        <>
          <Button tone="ghost" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" form={FORM_ID} pending={form.pending}>
            {t('wallet.track.save')}
          </Button>
        </>
      }
    >
      <form id={FORM_ID} noValidate onSubmit={form.onSubmit}>
        <TextField
          label={t('wallet.track.name')}
          error={form.errors.name && t(form.errors.name)}
          reserveError
          {...form.input('name')}
          autoComplete="off"
          size="l"
        />
      </form>
    </Dialog>
  );
}
