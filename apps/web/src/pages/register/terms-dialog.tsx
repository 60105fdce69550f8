import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

const sections = ['risk', 'copying', 'wallet', 'fees', 'conduct', 'data'] as const;

export default function TermsDialog({ onClose, onAccept }: { onClose: () => void; onAccept: () => void }) {
  const t = useT();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('terms.title')}
      description={t('terms.updated')}
      width={560}
      footer={
        <>
          <Button tone="ghost" onClick={onClose}>
            {t('ui.close')}
          </Button>
          <Button onClick={onAccept}>{t('terms.accept')}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {sections.map((section) => (
          <section key={section}>
            <h3 className="text-md! text-text!">{t(`terms.sections.${section}.title`)}</h3>
            <p className="mt-1 text-muted">{t(`terms.sections.${section}.text`)}</p>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
