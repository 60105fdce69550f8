import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import { toast } from '../../ui/toast-store.ts';
import { downloadTradeRecord, RECORD_FILE } from './export-csv.ts';

export function ExportButton() {
  const t = useT();
  const [pending, setPending] = useState(false);
  async function run(): Promise<void> {
    setPending(true);
    try {
      await downloadTradeRecord();
      toast.success(t('account.record.exported', { file: RECORD_FILE }));
    } catch (error) {
      console.error(error);
      toast.error(t('account.record.exportFailed'));
    } finally {
      setPending(false);
    }
  }
  return (
    <Button tone="ghost" size="s" pending={pending} icon={<DownloadIcon size={14} />} onClick={() => void run()}>
      {t('account.record.export')}
    </Button>
  );
}
