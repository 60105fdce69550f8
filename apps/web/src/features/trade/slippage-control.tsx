import { useId, useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { slippageFromText, slippageText } from './slippage-text.ts';

const PRESETS_BPS = [50, 100, 300, 500];
const HIGH_BPS = 500;

/** `bps` is null while it is not known. */
type SlippageProps = { bps: number | null; maxBps: number; saving: boolean; onSave: (bps: number) => void };

/** The slippage in one line; opened, its choices stand below it. */
export function SlippageControl({ bps, maxBps, saving, onSave }: SlippageProps) {
  const t = useT();
  const id = useId();
  const [open, setOpen] = useState(false);
  const percent = bps === null ? '-' : slippageText(bps);
  return (
    <div className="py-[3px] text-sm">
      <div className="flex items-center justify-between">
        <span className="text-muted">{t('trade.quote.slippage')}</span>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          aria-label={t('trade.slippage.change', { percent })}
          className={classNames(
            'num -mr-1.5 flex items-center gap-1 rounded-md px-1.5 py-0.5 font-[550] hover:bg-hover',
            isHigh(bps) && 'text-warn',
          )}
          onClick={() => setOpen(!open)}
        >
          {bps === null ? percent : `${percent}%`}
          <ChevronDownIcon size={13} className={classNames('text-faint transition-transform', open && 'rotate-180')} />
        </button>
      </div>
      {open && <Choices id={id} bps={bps} maxBps={maxBps} saving={saving} onSave={onSave} />}
    </div>
  );
}

function isHigh(bps: number | null): boolean {
  return bps !== null && bps > HIGH_BPS;
}

/** Made anew whenever it is opened, so that neither a half-typed value nor its error stays. */
function Choices({ id, bps, maxBps, saving, onSave }: SlippageProps & { id: string }) {
  const t = useT();
  const [custom, setCustom] = useState('');
  const [invalid, setInvalid] = useState(false);

  function saveCustom(): void {
    const typed = slippageFromText(custom, maxBps);
    setInvalid(typed === null);
    if (typed === null) return;
    onSave(typed);
    setCustom('');
  }

  return (
    <div id={id} className="mt-2 mb-1 flex flex-col gap-2 rounded-lg border border-line bg-bg p-2.5">
      <div role="group" aria-label={t('trade.slippage.choices')} className="grid grid-cols-4 gap-1.5">
        {PRESETS_BPS.map((preset) => (
          <button
            key={preset}
            type="button"
            aria-pressed={preset === bps}
            className="num h-8 rounded-lg border border-line font-[550] text-muted hover:text-text aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-text pointer-coarse:h-10"
            onClick={() => {
              setInvalid(false);
              setCustom('');
              onSave(preset);
            }}
          >
            {`${slippageText(preset)}%`}
          </button>
        ))}
      </div>
      {/* No form of its own: this stands inside the order's, and its Enter must not place an order. */}
      <div className="flex gap-1.5">
        <TextInput
          aria-label={t('trade.slippage.customLabel')}
          placeholder={t('trade.slippage.custom')}
          inputMode="decimal"
          autoComplete="off"
          value={custom}
          aria-invalid={invalid || undefined}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            saveCustom();
          }}
          onChange={(event) => {
            setInvalid(false);
            setCustom(event.target.value.replace(',', '.'));
          }}
          after={<span className="text-faint">%</span>}
          className="h-8!"
        />
        <Button size="s" tone="ghost" pending={saving} className="h-8!" onClick={saveCustom}>
          {t('trade.slippage.save')}
        </Button>
      </div>
      {invalid ? (
        <p role="alert" className="text-xs text-down">
          {t('trade.slippage.invalid', { max: slippageText(maxBps) })}
        </p>
      ) : (
        <p className={classNames('text-xs', isHigh(bps) ? 'text-warn' : 'text-faint')}>
          {t(isHigh(bps) ? 'trade.slippage.high' : 'trade.slippage.text')}
        </p>
      )}
    </div>
  );
}
