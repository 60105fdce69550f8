import { useEffect, useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { classNames } from './class-names.ts';
import { copyAddress } from './copy-text.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { shortAddress } from './short-address.ts';

/** A wallet or token address, shortened, with a copy button. `full` prints all of it, breaking where it must. */
export function Address({ address, full = false, className }: { address: string; full?: boolean; className?: string }) {
  const t = useT();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <span className={classNames('inline-flex min-w-0 items-center gap-1', className)}>
      <span className={full ? 'font-mono text-sm break-all' : 'num'} title={full ? undefined : address}>
        {full ? address : shortAddress(address)}
      </span>
      <button
        type="button"
        aria-label={t('ui.copyAddress', { address: shortAddress(address) })}
        title={copied ? t('ui.copied') : t('ui.copy')}
        className="relative grid size-6 shrink-0 place-items-center rounded-md text-faint hover:bg-hover hover:text-text pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
        onClick={(event) => {
          event.preventDefault();
          event.stopPropagation();
          void copyAddress(address).then(setCopied);
        }}
      >
        {copied ? <CheckIcon size={13} /> : <CopyIcon size={13} />}
      </button>
    </span>
  );
}
