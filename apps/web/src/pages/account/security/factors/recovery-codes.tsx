import { useT } from '../../../../i18n/i18n.ts';
import { Button } from '../../../../ui/button.tsx';
import { copyText } from '../../../../ui/copy-text.ts';
import { downloadText } from '../../../../ui/download-text.ts';
import { CopyIcon } from '../../../../ui/page-icons.tsx';

/** Shown once: the signer keeps only their hashes. */
export function RecoveryCodes({ codes, email, onDone }: { codes: string[]; email: string; onDone: () => void }) {
  const t = useT();
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">{t('account.security.factors.codesText')}</p>
      <ul
        className="grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-m border border-line bg-bg p-3.5 font-mono text-sm"
        data-testid="recovery-codes"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button tone="ghost" icon={<CopyIcon size={14} />} onClick={() => void copyText(text)}>
          {t('ui.copy')}
        </Button>
        <Button tone="ghost" onClick={() => downloadText('hunter-recovery-codes.txt', `Hunter ${email}\n\n${text}`)}>
          {t('account.security.factors.download')}
        </Button>
      </div>
      <Button size="l" onClick={onDone}>
        {t('account.security.factors.saved')}
      </Button>
    </div>
  );
}
