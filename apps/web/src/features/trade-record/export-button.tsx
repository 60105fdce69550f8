import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadIcon } from '../../ui/page-icons.tsx';
import { toast } from '../../ui/toast-store.ts';
import { downloadCsv, exportFiles } from './export-csv.ts';

export function ExportButtons() {
  const t = useT();
  return (
    <div className="flex gap-2">
      <ExportButton kind="record" text={t('account.record.export')} />
      <ExportButton kind="fills" text={t('account.record.exportFills')} hint={t('account.record.exportFillsHint')} />
    </div>
  );
}

function ExportButton({ kind, text, hint }: { kind: keyof typeof exportFiles; text: string; hint?: string }) {
  const t = useT();
  const [pending, setPending] = useState(false);
  async function run(): Promise<void> {
    setPending(true);
    try {
      await downloadCsv(exportFiles[kind]);
      toast.success(t('account.record.exported', { file: exportFiles[kind].file }));
    } catch (error) {
      console.error(error);
      toast.error(t('account.record.exportFailed'));
    } finally {
      setPending(false);
    }
  }
  return (
    <Button
      tone="ghost"
      size="s"
      title={hint}
      pending={pending}
      icon={<DownloadIcon size={14} />}
      onClick={() => void run()}
    >
      {text}
    </Button>
  );
}
