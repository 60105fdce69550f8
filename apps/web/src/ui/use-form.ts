// A small form: values, errors that appear when they help and not before, one submission at a time.
import { useRef, useState } from 'react';
import type { ChangeEvent, FormEvent } from 'react';

/** Longer than a click, shorter than anyone notices. */
const TOUCH_DELAY_MS = 150;

type FormErrors<Values, Message> = { [Field in keyof Values]?: Message };

type TextField<Values> = { [Field in keyof Values]: Values[Field] extends string ? Field : never }[keyof Values] &
  string;

/** What ties a text input to its field of a form. */
export type BoundInput = {
  name: string;
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  onBlur: () => void;
};

export type Form<Values, Message> = {
  values: Values;
  /** Errors of fields that were left or submitted; a field that is still being typed in has none yet. */
  errors: FormErrors<Values, Message>;
  pending: boolean;
  set: <Field extends keyof Values>(field: Field, value: Values[Field]) => void;
  touch: (field: keyof Values) => void;
  /** Empties a field with text that nobody is to be blamed for. */
  clear: (field: TextField<Values>) => void;
  /** The input of a field with text; leaving it empty is no error yet, leaving it wrong is. */
  input: (field: TextField<Values>) => BoundInput;
  /** A refusal by the server that belongs to a field. It goes away when the field changes. */
  refuse: (field: keyof Values, message: Message) => void;
  /** For the form element; its first invalid input gets the focus. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
};

export function useForm<Values extends object, Message>(options: {
  initial: Values;
  validate: (values: Values) => FormErrors<Values, Message>;
  submit: (values: Values) => Promise<void>;
}): Form<Values, Message> {
  const [values, setValues] = useState(options.initial);
  const [touched, setTouched] = useState<ReadonlySet<keyof Values>>(new Set());
  const [refused, setRefused] = useState<FormErrors<Values, Message>>({});
  const [pending, setPending] = useState(false);
  const running = useRef(false);

  const found = options.validate(values);
  const errors = shownErrors(found, refused, touched);

  async function submit(form: HTMLFormElement): Promise<void> {
    if (running.current) return;
    const invalid = Object.keys(found).length > 0;
    setTouched(new Set(Object.keys(values) as (keyof Values)[]));
    if (invalid) {
      // The inputs are marked invalid by the render that this submission causes.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    running.current = true;
    setPending(true);
    try {
      await options.submit(values);
    } finally {
      running.current = false;
      setPending(false);
    }
  }

  const set = <Field extends keyof Values>(field: Field, value: Values[Field]): void => {
    setValues((old) => ({ ...old, [field]: value }));
    setRefused(({ [field]: _gone, ...rest }) => rest as FormErrors<Values, Message>);
  };
  const touch = (field: keyof Values): void => {
    // An error line that appears while the pointer is still down would move the button that is being pressed.
    setTimeout(() => setTouched((old) => (old.has(field) ? old : new Set(old).add(field))), TOUCH_DELAY_MS);
  };

  return {
    values,
    errors,
    pending,
    set,
    touch,
    clear(field) {
      set(field, '' as Values[typeof field]);
      setTouched((old) => new Set([...old].filter((kept) => kept !== field)));
    },
    input: (field) => ({
      name: field,
      value: values[field] as string,
      onChange: (event) => set(field, event.target.value as Values[typeof field]),
      onBlur: () => {
        if (values[field] !== '') touch(field);
      },
    }),
    refuse(field, message) {
      setRefused((old) => ({ ...old, [field]: message }));
    },
    onSubmit(event) {
      event.preventDefault();
      void submit(event.currentTarget);
    },
  };
}

/** What the server refused, and what is wrong with the fields that were left or submitted. */
function shownErrors<Values, Message>(
  found: FormErrors<Values, Message>,
  refused: FormErrors<Values, Message>,
  touched: ReadonlySet<keyof Values>,
): FormErrors<Values, Message> {
  const errors = { ...refused };
  for (const field of touched) {
    const message = found[field];
    if (message !== undefined) errors[field] = message;
  }
  return errors;
}
