// A field with one input in it. What is about the field goes to the field, everything else to the input.
import { Field } from './field.tsx';
import type { FieldProps } from './field.tsx';
import { NumberInput } from './number-input.tsx';
import type { NumberInputProps } from './number-input.tsx';
import { Select } from './select.tsx';
import type { SelectProps } from './select.tsx';
import { TextInput } from './text-input.tsx';
import type { TextInputProps } from './text-input.tsx';

type Around = Omit<FieldProps, 'children' | 'className'> & { fieldClassName?: string };

function apart<Props extends Around>(props: Props) {
  const { label, error, hint, aside, reserveError = false, fieldClassName = '', ...input } = props;
  return { field: { label, error, hint, aside, reserveError, className: fieldClassName }, input };
}

export function TextField(props: Around & TextInputProps) {
  const { field, input } = apart(props);
  return <Field {...field}>{(ties) => <TextInput {...input} {...ties} />}</Field>;
}

export function NumberField(props: Around & NumberInputProps) {
  const { field, input } = apart(props);
  return <Field {...field}>{(ties) => <NumberInput {...input} {...ties} />}</Field>;
}

export function SelectField<Key extends string>(props: Around & SelectProps<Key>) {
  const { field, input } = apart(props);
  return <Field {...field}>{(ties) => <Select {...input} {...ties} />}</Field>;
}
