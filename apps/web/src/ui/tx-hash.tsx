import { useT } from '../i18n/i18n.ts';
import { copyText } from './copy-text.ts';
import { CopyIcon } from './icons.tsx';
import { shortAddress } from './short-address.ts';

/** A transaction's hash, shortened, copied by a click. */
export function TxHash({ hash }: { hash: string | null }) {
  const t = useT();
  if (hash === null) return <span className="text-faint">-</span>;
  const short = shortAddress(hash);
  return (
    <button
      type="button"
      title={hash}
      aria-label={t('ui.copyHash', { hash: short })}
      className="num inline-flex items-center gap-1 rounded-md px-1 text-muted hover:bg-hover hover:text-text pointer-coarse:min-h-8"
      onClick={(event) => {
        event.stopPropagation();
        void copyText(hash, t('ui.hashCopied'));
      }}
      data-testid="tx-hash"
      data-hash={hash}
    >
      {short}
      <CopyIcon size={12} className="text-faint" />
    </button>
  );
}
