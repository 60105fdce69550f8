import { useT } from '../i18n/i18n.ts';
import { CopyButton } from './copy-button.tsx';
import { copyText } from './copy-text.ts';
import { ExplorerLink } from './explorer-link.tsx';
import { shortAddress } from './short-address.ts';

/** A transaction's hash, shortened: leads to the explorer, with a copy button. */
export function TxHash({ hash }: { hash: string | null }) {
  const t = useT();
  if (hash === null) return <span className="text-faint">-</span>;
  const short = shortAddress(hash);
  return (
    <span className="inline-flex items-center gap-0.5 text-muted" data-testid="tx-hash" data-hash={hash}>
      <ExplorerLink
        kind="tx"
        id={hash}
        title={hash}
        className="num rounded px-0.5 hover:text-accent-text hover:underline"
      >
        {short}
      </ExplorerLink>
      <CopyButton label={t('ui.copyHash', { hash: short })} onCopy={() => copyText(hash, t('ui.hashCopied'))} />
    </span>
  );
}
