import { useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { isProtectionWrong, PROTECTION_FIELDS, protectionRequest, type ProtectionText } from './protection.ts';
import { NumberField } from '../../ui/fields.tsx';

/** What protects a follow, each with its default; an empty field is off, or for the coin cap the creator's own weights. */
export function ProtectionFields({
  value,
  onValue,
  disabled,
}: {
  value: ProtectionText;
  onValue: (next: ProtectionText) => void;
  disabled: boolean;
}) {
  const t = useT();
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {PROTECTION_FIELDS.map((field) => (
        <NumberField
          key={field}
          label={t(`strategy.protection.${field}.label`)}
          hint={t(`strategy.protection.${field}.hint`)}
          error={isProtectionWrong(field, value[field]) ? t(`strategy.protection.${field}.error`) : null}
          size="m"
          value={value[field]}
          onValue={(text) => onValue({ ...value, [field]: text })}
          decimals={field === 'capPerTrade' ? 9 : 2}
          unit={field === 'capPerTrade' ? 'SOL' : undefined}
          disabled={disabled}
          placeholder={t(`strategy.protection.${field}.empty`)}
          after={<span className="text-muted">{field === 'capPerTrade' ? 'SOL' : '%'}</span>}
        />
      ))}
    </div>
  );
}

/** The fields behind a button, for a dialog in which the defaults suit most people. One that is wrong cannot be hidden. */
export function ProtectionDisclosure(props: Parameters<typeof ProtectionFields>[0]) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const isWrong = protectionRequest(props.value) === null;
  return (
    <section className="flex flex-col gap-3">
      <button
        type="button"
        className="flex items-center justify-between text-sm font-[550] text-accent-text"
        aria-expanded={open}
        onClick={() => setOpen(!open || isWrong)}
      >
        {t('strategy.protection.title')}
        <span aria-hidden="true">{open ? '−' : '+'}</span>
      </button>
      <p className="text-xs text-faint">{t('strategy.protection.text')}</p>
      {open && <ProtectionFields {...props} />}
    </section>
  );
}
