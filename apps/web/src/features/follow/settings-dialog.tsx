import type { CallReply } from '@hunter/contract/calls';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { ProtectionFields } from './protection-fields.tsx';
import { protectionRequest, protectionText } from './protection.ts';
import { refreshFollows } from './refresh-follows.ts';

type Follow = CallReply<'followStrategy'>;

/** Changes what protects a follow that runs. */
export default function SettingsDialog({ follow, onClose }: { follow: Follow; onClose: () => void }) {
  const t = useT();
  const [value, setValue] = useState(() => protectionText(follow.protection));
  const [pending, setPending] = useState(false);
  const protection = protectionRequest(value);

  async function submit(): Promise<void> {
    if (protection === null || pending) return;
    setPending(true);
    try {
      await api.call('updateFollow', { slug: follow.slug, protection });
      toast.success(t('strategy.protection.saved'));
      void refreshFollows(follow.slug);
      onClose();
    } catch {
      // The call has told why; what was typed stays.
    } finally {
      setPending(false);
    }
  }

  return (
    <Dialog open onClose={onClose} locked={pending} title={t('strategy.protection.title')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        noValidate
      >
        <p className="text-sm text-muted">{t('strategy.protection.text')}</p>
        <ProtectionFields value={value} onValue={setValue} disabled={pending} />
        <Button type="submit" size="l" className="w-full" pending={pending} disabled={protection === null}>
          {t('strategy.protection.save')}
        </Button>
      </form>
    </Dialog>
  );
}
