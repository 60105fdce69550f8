import { useT } from '../../i18n/i18n.ts';

/** How long after the wallet, in time and in slots of the chain. */
export function Delay({ ms, slots }: { ms: number | null; slots: number | null }) {
  const t = useT();
  if (ms === null) return <span className="text-faint">-</span>;
  return (
    <span className="num flex flex-col items-end leading-tight">
      {`${(ms / 1000).toFixed(1)} s`}
      {slots !== null && <span className="text-xs text-muted">{t('walletFollow.table.slots', { slots })}</span>}
    </span>
  );
}
