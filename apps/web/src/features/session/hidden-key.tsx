import { useState } from 'react';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { copyText } from '../../ui/copy-text.ts';
import { EyeIcon, EyeOffIcon } from '../../ui/icons.tsx';
import { CopyIcon } from '../../ui/page-icons.tsx';

/** A private key that is blurred until its owner wants to see it, with the ways to take it along. */
export function HiddenKey({ privateKey, children }: { privateKey: string; children?: ReactNode }) {
  const t = useT();
  const [revealed, setRevealed] = useState(false);
  return (
    <>
      <div className="relative rounded-m border border-line bg-bg p-3.5">
        {/* Until it is revealed the real key is not in the page at all: a blur alone would still be readable there. */}
        <p
          className={classNames(
            'min-h-[3.6em] font-mono text-sm leading-[1.8] break-all transition-[filter] duration-200',
            !revealed && 'blur-[7px] select-none',
          )}
          aria-hidden={!revealed}
          data-testid="private-key"
        >
          {revealed ? privateKey : '•'.repeat(privateKey.length)}
        </p>
        {!revealed && (
          <p className="absolute inset-0 grid place-items-center px-6 text-center text-sm text-muted">
            {t('newWallet.hidden')}
          </p>
        )}
      </div>
      <div className="mt-1 grid gap-2 sm:auto-cols-fr sm:grid-flow-col">
        <Button
          tone="ghost"
          icon={revealed ? <EyeOffIcon size={15} /> : <EyeIcon size={15} />}
          onClick={() => setRevealed(!revealed)}
        >
          {t(revealed ? 'newWallet.hide' : 'newWallet.reveal')}
        </Button>
        <Button
          tone="ghost"
          icon={<CopyIcon size={15} />}
          onClick={() => void copyText(privateKey, t('newWallet.keyCopied'))}
        >
          {t('newWallet.copyKey')}
        </Button>
        {children}
      </div>
    </>
  );
}
