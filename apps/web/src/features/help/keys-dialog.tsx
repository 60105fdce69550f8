import { useT } from '../../i18n/i18n.ts';
import { Dialog } from '../../ui/dialog.tsx';

const keys = [
  ['/', 'search'],
  ['B', 'buy'],
  ['S', 'sell'],
  ['J', 'next'],
  ['K', 'previous'],
  ['Enter', 'confirm'],
  ['Esc', 'close'],
  ['?', 'keys'],
] as const;

/** Every key that works on a page, while nothing is being typed. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog open onClose={onClose} title={t('help.keys.title')} description={t('help.keys.text')}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2.5" data-testid="keys">
        {keys.map(([key, name]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="inline-block min-w-8 rounded-md border border-line-strong bg-bg px-2 py-1 text-center font-mono text-sm">
                {key}
              </kbd>
            </dt>
            <dd className="text-sm text-muted">{t(`help.keys.list.${name}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
