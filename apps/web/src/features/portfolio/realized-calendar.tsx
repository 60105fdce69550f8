import { formatSolChange } from '@hunter/domain/format/format-sol';
import { useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useMyStream } from '../../data/stream.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { ArrowLeftIcon } from '../../ui/page-icons.tsx';
import { Sol } from '../../ui/numbers.tsx';
import { toneClass, toneOf } from '../../ui/tone.ts';
import { dayAfterKey, monthOf, monthWeeks, noonOf, shiftMonth } from './month-grid.ts';

const locales = { en: 'en-GB', zh: 'zh-CN' } as const;
const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const tints = { up: 'bg-up/12', down: 'bg-down/12' } as const;

/** Realized profit day by day, in the time zone of this browser. */
export function RealizedCalendar() {
  const { t, language } = useI18n();
  const [thisMonth] = useState(() => monthOf(Date.now()));
  const [month, setMonth] = useState(thisMonth);
  const query = useApiQuery('getMyRealized', { month, timeZone }, { keepPrevious: true, quiet: true });
  const { data } = query;
  const refresh = () => void query.refetch();
  useMyStream('positions', refresh, refresh);
  const locale = locales[language];
  const title = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    noonOf(`${month}-01`),
  );
  const shown = data?.month === month ? data : undefined;
  return (
    <div className="px-4 pb-4" data-testid="realized-calendar">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <div className="flex items-center gap-1.5">
          <IconButton
            label={t('account.portfolio.previousMonth')}
            disabled={data !== undefined && (data.firstMonth === null || month <= data.firstMonth)}
            onClick={() => setMonth(shiftMonth(month, -1))}
          >
            <ArrowLeftIcon size={16} />
          </IconButton>
          <h3 className="min-w-36 text-center" aria-live="polite">
            {title}
          </h3>
          <IconButton
            label={t('account.portfolio.nextMonth')}
            disabled={month >= thisMonth}
            onClick={() => setMonth(shiftMonth(month, 1))}
          >
            <ArrowLeftIcon size={16} className="rotate-180" />
          </IconButton>
        </div>
        <p className="text-sm text-muted">
          {t('account.portfolio.realizedInMonth')}{' '}
          <Sol value={shown?.realized ?? null} tone className="font-semibold" />
          {shown && ` · ${t('account.portfolio.sales', { count: shown.sales })}`}
        </p>
      </div>
      {query.isError && !data ? (
        <ErrorState height={300} title={t('account.portfolio.calendarFailed')} error={query.error} onRetry={refresh} />
      ) : (
        <Month key={month} month={month} days={shown?.days ?? []} locale={locale} busy={!shown} />
      )}
    </div>
  );
}

type Day = { day: string; realized: string; sales: number };

/** A grid of days with one stop for the tab key; arrow keys move within it. */
function Month({ month, days, locale, busy }: { month: string; days: readonly Day[]; locale: string; busy: boolean }) {
  const { t } = useI18n();
  const grid = useRef<HTMLTableElement>(null);
  const weeks = monthWeeks(month);
  const [focused, setFocused] = useState(`${month}-01`);
  const byDay = new Map(days.map((each) => [each.day, each]));
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const long = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  // The first of January 2024 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, index) => weekday.format(Date.UTC(2024, 0, 1 + index)));

  function onKey(event: KeyboardEvent): void {
    const next = dayAfterKey(focused, event.key);
    if (next === null) return;
    event.preventDefault();
    setFocused(next);
    grid.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  }

  return (
    <table
      ref={grid}
      role="grid"
      aria-label={t('account.portfolio.calendar')}
      aria-busy={busy}
      className={classNames('w-full table-fixed border-separate border-spacing-1', busy && 'opacity-55')}
      onKeyDown={onKey}
    >
      <thead>
        <tr>
          {weekdays.map((name) => (
            <th key={name} scope="col" className="pb-1 text-center text-xs font-medium text-faint">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week.find(Boolean)}>
            {week.map((day, index) =>
              day === null ? (
                <td key={`none-${index}`} />
              ) : (
                <DayCell
                  key={day}
                  day={day}
                  name={long.format(noonOf(day))}
                  result={byDay.get(day)}
                  isTabStop={day === focused}
                  onFocus={() => setFocused(day)}
                />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell({
  day,
  name,
  result,
  isTabStop,
  onFocus,
}: {
  day: string;
  name: string;
  result: Day | undefined;
  isTabStop: boolean;
  onFocus: () => void;
}) {
  const { t } = useI18n();
  const tone = toneOf(result?.realized);
  return (
    <td
      data-day={day}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      aria-label={
        result
          ? t('account.portfolio.dayLabel', {
              day: name,
              amount: formatSolChange(result.realized),
              sales: t('account.portfolio.sales', { count: result.sales }),
            })
          : t('account.portfolio.dayNone', { day: name })
      }
      className={classNames(
        'h-[52px] rounded-m py-1 align-top max-sm:px-0 sm:h-16 sm:px-2',
        tone ? tints[tone] : 'bg-hover/50',
      )}
    >
      <span className="num block text-xs text-faint max-sm:px-1">{Number(day.slice(8))}</span>
      {result && (
        <span className="block truncate font-semibold max-sm:text-center">
          <Sol value={result.realized} tone className="text-sm max-sm:hidden" />
          {/* A seventh of a phone has room for the figure; the sum above has its unit. */}
          <span className={classNames('num text-[10px] tracking-tight sm:hidden', tone && toneClass[tone])}>
            {formatSolChange(result.realized).replace(' SOL', '')}
          </span>
        </span>
      )}
    </td>
  );
}
