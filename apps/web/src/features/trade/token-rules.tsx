import { WarningIcon } from '../../ui/icons.tsx';

/** Taxes, hooks, freezing and minting, in words, where somebody is about to buy. */
export function TokenRules({ warnings }: { warnings: readonly { key: string; label: string; text: string }[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul
      className="mt-2.5 flex flex-col gap-1 rounded-lg bg-warn-soft px-2.5 py-2 text-xs text-warn"
      data-testid="token-rules"
    >
      {warnings.map(({ key, label, text }) => (
        <li key={key} className="flex items-start gap-1.5">
          <WarningIcon size={13} className="mt-px shrink-0" />
          <span>
            <b className="font-semibold">{label}</b> {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
