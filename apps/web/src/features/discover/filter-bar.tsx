import { DISCOVER_FIELDS, discoverFields } from '@hunter/domain/market/discover';
import type { DiscoverField } from '@hunter/domain/market/discover';
import { formatCount } from '@hunter/domain/format/format-count';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { classNames } from '../../ui/class-names.ts';
import { CloseIcon } from '../../ui/icons.tsx';
import { noFilter } from './discover-search.ts';
import type { Bounds, Filter } from './discover-search.ts';
import { presetNames, presets, sameFilter } from './presets.ts';
import type { SavedFilter } from './presets.ts';

const chip =
  'inline-flex h-[30px] shrink-0 items-center gap-1 rounded-full border border-line px-[11px] text-sm font-[550] whitespace-nowrap text-muted pointer-coarse:h-10';

type FilterBarProps = {
  filter: Filter;
  saved: readonly SavedFilter[];
  onFilter: (filter: Filter) => void;
  onEdit: () => void;
};

/** What is filtered by, each part of it removable, and filters under a name. */
export function FilterBar({ filter, saved, onFilter, onEdit }: FilterBarProps) {
  const t = useT();
  const { ranges, include, exclude } = filter;
  return (
    <div
      className="flex min-w-0 flex-1 items-center gap-2 overflow-x-auto py-0.5 scroll-thin"
      role="group"
      aria-label={t('discover.filter.title')}
    >
      <button type="button" className={classNames(chip, 'text-text hover:bg-hover')} onClick={onEdit}>
        + {t('discover.filter.add')}
      </button>
      {discoverFields.map((field) => {
        const bounds = ranges[field];
        if (!bounds) return null;
        const name = t(`discover.field.${field}`);
        return (
          <Removable
            key={field}
            name={name}
            text={rangeText(field, bounds, t)}
            onRemove={() => onFilter({ ...filter, ranges: { ...ranges, [field]: { min: '', max: '' } } })}
          />
        );
      })}
      {include !== '' && (
        <Removable
          name={t('discover.filter.include')}
          text={include}
          onRemove={() => onFilter({ ...filter, include: '' })}
        />
      )}
      {exclude !== '' && (
        <Removable
          name={t('discover.filter.exclude')}
          text={exclude}
          onRemove={() => onFilter({ ...filter, exclude: '' })}
        />
      )}
      <span className="mx-1 h-4 w-px shrink-0 bg-line" aria-hidden="true" />
      <NamedFilters filter={filter} saved={saved} onFilter={onFilter} />
    </div>
  );
}

function NamedFilters({ filter, saved, onFilter }: Pick<FilterBarProps, 'filter' | 'saved' | 'onFilter'>) {
  const t = useT();
  const named = [
    ...presetNames.map((name) => ({ key: name, label: t(`discover.filter.preset.${name}`), filter: presets[name] })),
    ...saved.map((each) => ({ key: `saved ${each.name}`, label: each.name, filter: each.filter })),
  ];
  return named.map((each) => {
    const on = sameFilter(each.filter, filter);
    return (
      <button
        key={each.key}
        type="button"
        aria-pressed={on}
        className={classNames(
          'h-[30px] shrink-0 rounded-full px-2 text-sm font-[550] whitespace-nowrap hover:text-text pointer-coarse:h-10',
          on ? 'bg-accent-soft text-accent-text' : 'text-muted',
        )}
        onClick={() => onFilter(on ? noFilter : each.filter)}
      >
        <bdi>{each.label}</bdi>
      </button>
    );
  });
}

function Removable({ name, text, onRemove }: { name: string; text: string; onRemove: () => void }) {
  const t = useT();
  return (
    <span className={classNames(chip, 'pr-1')} data-testid="filter-chip">
      {name} <b className="num max-w-40 truncate font-semibold text-text">{text}</b>
      <button
        type="button"
        aria-label={t('discover.filter.remove', { name })}
        className="grid size-[24px] place-items-center rounded-full text-faint hover:bg-hover hover:text-text pointer-coarse:size-9"
        onClick={onRemove}
      >
        <CloseIcon size={12} />
      </button>
    </span>
  );
}

function rangeText(field: DiscoverField, { min, max }: Bounds, t: Translate): string {
  const { unit } = DISCOVER_FIELDS[field];
  const shown = (value: string) => {
    const number = unit === 'usd' || unit === 'count' ? formatCount(value).replace(/\.00(?=[KMB])/, '') : value;
    if (unit === 'usd') return `$${number}`;
    if (unit === 'percent') return `${number}%`;
    return unit === 'count' ? number : `${number} ${unit === 'sol' ? 'SOL' : t('discover.minutes')}`;
  };
  if (min === '') return `≤ ${shown(max)}`;
  return max === '' ? `≥ ${shown(min)}` : `${shown(min)} – ${shown(max)}`;
}
