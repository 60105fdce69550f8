import { Field } from './field.tsx';
import { NumberInput } from './number-input.tsx';

type Props = { label: string; error: string | null; value: string; onValue: (value: string) => void };

/** An amount of SOL that nobody has to own. */
export function SolAmountField({ label, error, value, onValue }: Props) {
  return (
    <Field label={label} error={error}>
      {(input) => (
        <NumberInput
          {...input}
          size="m"
          value={value}
          onValue={onValue}
          decimals={9}
          unit="SOL"
          inputClassName="num"
          after={<span className="text-muted">SOL</span>}
        />
      )}
    </Field>
  );
}
