import { useState } from 'react';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { useTexts } from './texts.ts';

const ALLOWED = /^(https:\/\/|http:\/\/localhost(:|\/|$))/;

/** Answers null for the product's own node, and an empty text while the address is not usable. */
export function NodeChoice({ onChange }: { onChange: (rpc: string | null) => void }) {
  const t = useTexts();
  const [own, setOwn] = useState(true);
  const [url, setUrl] = useState('');
  const usable = ALLOWED.test(url) && URL.canParse(url);
  const choose = (isOwn: boolean): void => {
    setOwn(isOwn);
    onChange(isOwn ? null : usable ? url : '');
  };
  return (
    <fieldset className="card flex flex-col gap-3 p-4">
      <legend className="float-left mb-1 text-lg font-semibold">{t('verify.node.label')}</legend>
      <div className="clear-both flex flex-wrap gap-x-5 gap-y-2">
        {([true, false] as const).map((each) => (
          <label key={String(each)} className="flex items-center gap-2 pointer-coarse:min-h-10">
            <input
              type="radio"
              name="node"
              className="size-4 accent-[var(--accent)]"
              checked={own === each}
              onChange={() => choose(each)}
            />
            {t(each ? 'verify.node.own' : 'verify.node.custom')}
          </label>
        ))}
      </div>
      {!own && (
        <Field
          label={t('verify.node.url')}
          hint={t('verify.node.urlHint')}
          error={url !== '' && !usable ? t('verify.node.urlWrong') : null}
        >
          {(input) => (
            <TextInput
              {...input}
              type="url"
              value={url}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => {
                const text = target.value.trim();
                setUrl(text);
                onChange(ALLOWED.test(text) && URL.canParse(text) ? text : '');
              }}
            />
          )}
        </Field>
      )}
      <p className="text-sm text-faint">{t('verify.node.text')}</p>
    </fieldset>
  );
}
