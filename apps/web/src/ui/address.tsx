import { useT } from '../i18n/i18n.ts';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';
import { copyAddress } from './copy-text.ts';
import { ExplorerLink } from './explorer-link.tsx';
import { LightLink } from './light-link.tsx';
import { shortAddress } from './short-address.ts';

/**
 * An address, shortened, with a copy button. A trader's leads to the wallet's page, any other to the explorer. `full` prints all
 * of it, breaking where it must; `name` stands in its place.
 */
export function Address({
  address,
  wallet = false,
  full = false,
  name,
  className,
}: {
  address: string;
  wallet?: boolean;
  full?: boolean;
  name?: string | undefined;
  className?: string;
}) {
  const t = useT();
  const link = {
    className: classNames(
      'rounded hover:text-accent-text hover:underline',
      full ? 'font-mono text-sm break-all' : name === undefined ? 'num' : 'truncate font-semibold',
    ),
    ...(full ? {} : { title: address }),
  };
  const shown = name === undefined ? full ? address : shortAddress(address) : <bdi>{name}</bdi>;
  return (
    <span className={classNames('inline-flex min-w-0 items-center gap-1', className)}>
      {wallet ? (
        <LightLink href={`/wallet/${address}`} {...link}>
          {shown}
        </LightLink>
      ) : (
        <ExplorerLink kind="address" id={address} {...link}>
          {shown}
        </ExplorerLink>
      )}
      <CopyButton label={t('ui.copyAddress', { address: shortAddress(address) })} onCopy={() => copyAddress(address)} />
    </span>
  );
}
