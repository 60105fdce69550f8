import { useState } from 'react';
import { api } from '../../data/api.ts';
import { ApiFailure } from '../../data/api-failure.ts';
import { useAppConfig } from '../../data/app-config.ts';
import type { TextKey } from '../../i18n/areas.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { FieldInputProps } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { BoundInput } from '../../ui/use-form.ts';
import { useCodeCooldown } from './code-cooldown.ts';
import type { CodePurpose } from './code-cooldown.ts';
import { CODE_LENGTH, emailError } from './credentials.ts';

/** The verification code and the button that mails it, which then counts down before it can be used again. */
export function CodeField({
  purpose,
  email,
  bound,
  error,
  onEmailMissing,
}: {
  purpose: CodePurpose;
  email: string;
  bound: BoundInput;
  error: TextKey | undefined;
  /** The code was asked for without a usable address: its field should say so. */
  onEmailMissing: () => void;
}) {
  const t = useT();
  const cooldown = useCodeCooldown(purpose);
  const [pending, setPending] = useState(false);
  const [sent, setSent] = useState(false);

  async function send(): Promise<void> {
    if (emailError(email) !== undefined) return onEmailMissing();
    setPending(true);
    try {
      const { retryAfterSeconds } = await api.call('sendEmailCode', { email: email.trim(), purpose });
      cooldown.start(retryAfterSeconds);
      setSent(true);
      toast.success(t('auth.codeSent'));
    } catch (failure) {
      // The toast is already shown; a refusal for haste also says how long to wait.
      const wait = failure instanceof ApiFailure ? retryAfter(failure) : null;
      if (wait !== null) cooldown.start(wait);
    } finally {
      setPending(false);
    }
  }

  return (
    <Field
      label={t('auth.code')}
      error={error && t(error)}
      hint={sent ? <MailboxLink email={email.trim()} /> : undefined}
    >
      {(input) => (
        <div className="flex gap-2">
          <CodeInput input={input} bound={bound} />
          <Button
            tone="ghost"
            size="l"
            className="min-w-[128px] px-3.5 text-base!"
            pending={pending}
            disabled={cooldown.seconds > 0}
            onClick={() => void send()}
          >
            {cooldown.seconds > 0 ? t('auth.retryIn', { seconds: cooldown.seconds }) : t('auth.sendCode')}
          </Button>
        </div>
      )}
    </Field>
  );
}

function retryAfter(failure: ApiFailure): number | null {
  if (failure.reason.kind !== 'envelope') return null;
  const data = failure.reason.data as { retryAfterSeconds?: unknown } | null;
  return typeof data?.retryAfterSeconds === 'number' ? Math.ceil(data.retryAfterSeconds) : null;
}

/** In local mode mails go nowhere; the link opens the page that shows them. */
function MailboxLink({ email }: { email: string }) {
  const t = useT();
  const path = useAppConfig()?.mailboxPath;
  if (!path) return null;
  return (
    <span>
      {t('auth.local.mailbox')}{' '}
      <a
        href={`${path}?email=${encodeURIComponent(email)}`}
        target="_blank"
        rel="noopener noreferrer"
        className="font-semibold text-accent-text hover:underline"
        data-testid="mailbox-link"
      >
        {t('auth.local.openMailbox')}
      </a>
    </span>
  );
}

function CodeInput({ input, bound }: { input: FieldInputProps; bound: BoundInput }) {
  const t = useT();
  return (
    <TextInput
      {...input}
      size="l"
      {...bound}
      onChange={(event) => {
        // Pasted with its surroundings, a code is still only its digits.
        event.target.value = event.target.value.replace(/\D/g, '').slice(0, CODE_LENGTH);
        bound.onChange(event);
      }}
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder={t('auth.codePlaceholder')}
      inputClassName="num tracking-[0.12em] placeholder:tracking-normal"
    />
  );
}
