import { useEffect, useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { CheckIcon } from './icons.tsx';
import { CopyIcon } from './page-icons.tsx';

/** A small button beside what it copies; says for a moment that it did. */
export function CopyButton({ label, onCopy }: { label: string; onCopy: () => Promise<boolean> }) {
  const t = useT();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      aria-label={label}
      title={copied ? t('ui.copied') : t('ui.copy')}
      className="relative grid size-[24px] shrink-0 place-items-center rounded-md text-faint hover:bg-hover hover:text-text pointer-coarse:after:absolute pointer-coarse:after:-inset-2.5"
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        void onCopy().then(setCopied);
      }}
    >
      {copied ? <CheckIcon size={13} /> : <CopyIcon size={13} />}
    </button>
  );
}
