import type { CallReply } from '@hunter/contract/calls';
import { useState } from 'react';
import { api } from '../../data/api.ts';
import { useT } from '../../i18n/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { ProtectionFields } from './protection-fields.tsx';
import { protectionRequest, protectionText } from './protection.ts';
import { refreshFollows } from './refresh-follows.ts';

type Follow = CallReply<'followStrategy'>;

/** Changes what protects a follow that runs. */
export default function SettingsDialog({ follow, onClose }: { follow: Follow; onClose: () => void }) {
  const t = useT();
  const [value, setValue] = useState(() => protectionText(follow.protection));
  const protection = protectionRequest(value);
  return (
    <FormDialog
      title={t('strategy.protection.title')}
      submitLabel={t('strategy.protection.save')}
      disabled={protection === null}
      onSubmit={async () => {
        await api.call('updateFollow', { slug: follow.slug, protection: protection! });
        toast.success(t('strategy.protection.saved'));
        void refreshFollows(follow.slug);
      }}
      onClose={onClose}
    >
      {(pending) => (
        <>
          <p className="text-sm text-muted">{t('strategy.protection.text')}</p>
          <ProtectionFields value={value} onValue={setValue} disabled={pending} />
        </>
      )}
    </FormDialog>
  );
}
