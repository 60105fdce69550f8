import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { EyeIcon, EyeOffIcon } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import type { TextInputProps } from '../../ui/text-input.tsx';

export function PasswordInput(props: Omit<TextInputProps, 'type' | 'after'>) {
  const t = useT();
  const [shown, setShown] = useState(false);
  return (
    <TextInput
      size="l"
      maxLength={256}
      {...props}
      type={shown ? 'text' : 'password'}
      after={
        <button
          type="button"
          aria-label={t(shown ? 'auth.hidePassword' : 'auth.showPassword')}
          aria-pressed={shown}
          className="-mr-1.5 grid size-8 shrink-0 place-items-center rounded-lg text-faint hover:text-text"
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOffIcon size={17} /> : <EyeIcon size={17} />}
        </button>
      }
    />
  );
}
