import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { DISCOVER_FIELDS, DISCOVER_WORDS_MAX, discoverFields, discoverWords } from '@hunter/domain/market/discover';
import type { DiscoverField } from '@hunter/domain/market/discover';
import { useId, useState } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { noFilter } from './discover-search.ts';
import type { Bounds, Filter, Ranges } from './discover-search.ts';
import { sameFilter } from './presets.ts';
import type { SavedFilter } from './presets.ts';
import { decimalsOf, readTypedBound } from './typed-bound.ts';

const ends = ['min', 'max'] as const;
const wordFields = ['include', 'exclude'] as const;
const signs = { usd: '$', percent: '%', sol: 'SOL' } as const;

type FilterDialogProps = {
  filter: Filter;
  saved: readonly SavedFilter[];
  onApply: (filter: Filter) => void;
  onSave: (name: string, filter: Filter) => void;
  onForget: (name: string) => void;
  onClose: () => void;
};

/** Every figure of the page as a range, and words of the name. Nothing changes until it is applied. */
export default function FilterDialog({ filter, saved, onApply, onSave, onForget, onClose }: FilterDialogProps) {
  const t = useT();
  const [draft, setDraft] = useState(filter);
  const wrong = discoverFields.filter((field) => problemOf(field, draft.ranges[field], t) !== null);
  const tooMany = wordFields.filter((words) => discoverWords(draft[words]).length > DISCOVER_WORDS_MAX);
  const isRight = wrong.length === 0 && tooMany.length === 0;
  const clean = { ...draft, ranges: asRead(draft.ranges) };
  return (
    <Dialog
      open
      width={760}
      onClose={onClose}
      title={t('discover.filter.title')}
      description={t('discover.filter.text')}
      footer={
        <>
          <Button tone="plain" className="mr-auto" onClick={() => setDraft(noFilter)}>
            {t('discover.filter.reset')}
          </Button>
          <Button disabled={!isRight} onClick={() => onApply(clean)}>
            {t('discover.filter.apply')}
          </Button>
        </>
      }
    >
      <Form
        className="flex flex-col gap-4"
        onSubmit={() => {
          if (isRight) onApply(clean);
        }}
      >
        <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {discoverFields.map((field) => (
            <RangeRow
              key={field}
              field={field}
              bounds={draft.ranges[field] ?? { min: '', max: '' }}
              onChange={(bounds) => setDraft({ ...draft, ranges: { ...draft.ranges, [field]: bounds } })}
            />
          ))}
        </div>
        <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          {wordFields.map((words) => (
            <TextField
              key={words}
              label={t(`discover.filter.${words}`)}
              hint={t(`discover.filter.${words}Hint`)}
              error={tooMany.includes(words) ? t('discover.filter.tooMany', { max: DISCOVER_WORDS_MAX }) : null}
              maxLength={200}
              value={draft[words]}
              onChange={(event) => setDraft({ ...draft, [words]: event.target.value })}
            />
          ))}
        </div>
        {/* So that Enter applies the filter from every field. */}
        <button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />
      </Form>
      <SavedFilters saved={saved} filter={isRight ? clean : null} onSave={onSave} onForget={onForget} />
    </Dialog>
  );
}

function RangeRow({
  field,
  bounds,
  onChange,
}: {
  field: DiscoverField;
  bounds: Bounds;
  onChange: (bounds: Bounds) => void;
}) {
  const t = useT();
  const id = useId();
  const { unit } = DISCOVER_FIELDS[field];
  const name = t(`discover.field.${field}`);
  const problem = problemOf(field, bounds, t);
  return (
    <div className="flex items-center gap-2" role="group" aria-label={name}>
      <span className="min-w-0 flex-1 text-sm font-[550] text-muted">
        {name}
        {problem && (
          <span id={id} role="alert" className="block text-xs text-down">
            {problem.text}
          </span>
        )}
      </span>
      {ends.map((end) => (
        <TextInput
          key={end}
          className="h-[34px]! w-[104px]! shrink-0 px-2!"
          // The number pad has neither the minus of a change nor the letters of "10k" and "2h".
          inputMode={unit === 'usd' || unit === 'minutes' || field === 'change' ? 'text' : 'decimal'}
          autoComplete="off"
          autoCapitalize="none"
          maxLength={40}
          aria-label={t(`discover.filter.${end}`, { field: name })}
          {...(problem?.ends.includes(end) ? { 'aria-invalid': true, 'aria-describedby': id } : {})}
          placeholder={t(end === 'min' ? 'discover.filter.from' : 'discover.filter.upTo')}
          value={bounds[end]}
          after={
            unit !== 'count' && (
              <span className="text-xs text-faint">{unit === 'minutes' ? t('discover.minutes') : signs[unit]}</span>
            )
          }
          onChange={(event) => onChange({ ...bounds, [end]: event.target.value })}
          // Shows how it was read.
          onBlur={() => onChange({ ...bounds, [end]: readTypedBound(bounds[end], field).value ?? bounds[end] })}
        />
      ))}
    </div>
  );
}

type RangeProblem = { text: string; ends: readonly (keyof Bounds)[] };

function problemOf(field: DiscoverField, bounds: Bounds | undefined, t: Translate): RangeProblem | null {
  if (!bounds) return null;
  const [min, max] = [readTypedBound(bounds.min, field), readTypedBound(bounds.max, field)];
  const problem = min.problem ?? max.problem;
  if (problem) {
    const unreadable = ends.filter((end) => (end === 'min' ? min : max).problem !== null);
    return { text: t(`discover.filter.problem.${problem}`, { max: decimalsOf(field) }), ends: unreadable };
  }
  if (!min.value || !max.value || compareDecimals(min.value, max.value) <= 0) return null;
  return { text: t('discover.filter.wrong'), ends };
}

function asRead(ranges: Ranges): Ranges {
  const entries = Object.entries(ranges) as [DiscoverField, Bounds][];
  return Object.fromEntries(
    entries.map(([field, { min, max }]) => [
      field,
      { min: readTypedBound(min, field).value ?? '', max: readTypedBound(max, field).value ?? '' },
    ]),
  );
}

type SavedFiltersProps = Pick<FilterDialogProps, 'saved' | 'onSave' | 'onForget'> & {
  /** Null while something in it is wrong. */
  filter: Filter | null;
};

function SavedFilters({ saved, filter, onSave, onForget }: SavedFiltersProps) {
  const t = useT();
  const [name, setName] = useState('');
  // One that filters nothing would look chosen wherever no filter is.
  const savable = name.trim() !== '' && filter !== null && !sameFilter(filter, noFilter);
  return (
    <Form
      className="mt-4 flex flex-wrap items-end gap-2 border-t border-line pt-4"
      onSubmit={() => {
        if (!savable) return;
        onSave(name, filter);
        setName('');
      }}
    >
      <TextField
        label={t('discover.filter.saveAs')}
        fieldClassName="w-56"
        maxLength={24}
        placeholder={t('discover.filter.saveName')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" tone="ghost" disabled={!savable}>
        {t('discover.filter.save')}
      </Button>
      {saved.map((each) => (
        <span
          key={each.name}
          className="inline-flex h-[38px] items-center gap-1 rounded-full border border-line px-3 text-sm"
        >
          <bdi>{each.name}</bdi>
          <button
            type="button"
            aria-label={t('discover.filter.forget', { name: each.name })}
            className="grid size-[24px] place-items-center rounded-full text-faint hover:bg-hover hover:text-text pointer-coarse:size-9"
            onClick={() => onForget(each.name)}
          >
            <CloseIcon size={12} />
          </button>
        </span>
      ))}
    </Form>
  );
}
