import { NumberField } from './fields.tsx';

type Props = { label: string; error: string | null; value: string; onValue: (value: string) => void };

/** An amount of SOL that nobody has to own. */
export function SolAmountField({ label, error, value, onValue }: Props) {
  return (
    <NumberField
      label={label}
      error={error}
      size="m"
      value={value}
      onValue={onValue}
      decimals={9}
      unit="SOL"
      after={<span className="text-muted">SOL</span>}
    />
  );
}
