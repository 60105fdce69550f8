import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useT } from '../../../../i18n/i18n.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { copyText } from '../../../../ui/copy-text.ts';
import { TextField } from '../../../../ui/fields.tsx';
import { CopyIcon } from '../../../../ui/page-icons.tsx';

const CODE_LENGTH = 6;

/** The secret as a picture and as text, and the code that shows that the app has it. */
export function TotpStep({
  secret,
  email,
  busy,
  onCode,
}: {
  secret: string;
  email: string;
  busy: boolean;
  onCode: (code: string) => void;
}) {
  const t = useT();
  const [code, setCode] = useState('');
  const uri = `otpauth://totp/Hunter:${encodeURIComponent(email)}?secret=${secret}&issuer=Hunter`;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (code.length === CODE_LENGTH && !busy) onCode(code);
  }
  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <div className="self-center rounded-m bg-white p-3">
        <QRCodeSVG value={uri} size={168} title={t('account.security.factors.qr')} />
      </div>
      <div className="flex items-center gap-2 rounded-m border border-line bg-bg py-1 pr-1 pl-3.5">
        <code className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="totp-secret">
          {secret}
        </code>
        <IconButton label={t('account.security.factors.copySecret')} onClick={() => void copyText(secret)}>
          <CopyIcon size={15} />
        </IconButton>
      </div>
      <TextField
        label={t('account.security.factors.firstCode')}
        size="l"
        value={code}
        onChange={({ target: { value } }) => setCode(value.replace(/\D/g, '').slice(0, CODE_LENGTH))}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        inputClassName="num tracking-[0.12em]"
      />
      <Button type="submit" size="l" pending={busy} disabled={code.length < CODE_LENGTH}>
        {t('account.security.factors.submits.totp-code')}
      </Button>
    </form>
  );
}
