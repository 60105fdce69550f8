import { CANDLE_INTERVALS } from '@hunter/domain/market/candle-interval';
import { drawingTools, mainIndicators, paneIndicators } from '../../chart/chart-choices.ts';
import type { ChartView, DrawingTool, IndicatorName } from '../../chart/chart-choices.ts';
import { useT } from '../../i18n/i18n.ts';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { ShrinkIcon, ExpandIcon } from '../../ui/page-icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { fitMenu } from './fit-menu.ts';

const intervals = CANDLE_INTERVALS.map((key) => ({ key, label: key }));
const button =
  'flex h-8 items-center gap-1 rounded-lg px-2 text-sm font-medium whitespace-nowrap text-muted hover:bg-hover hover:text-text max-sm:px-1 pointer-coarse:h-10';

type ToolbarProps = {
  view: ChartView;
  onView: (change: Partial<ChartView>) => void;
  indicators: readonly IndicatorName[];
  onIndicators: (indicators: readonly IndicatorName[]) => void;
  onDraw: (tool: DrawingTool) => void;
  onClear: () => void;
  isFull: boolean;
  onFull: (isFull: boolean) => void;
};

export function ChartToolbar(props: ToolbarProps) {
  const { view, onView, isFull, onFull } = props;
  const t = useT();
  const switches = [
    { key: 'log', label: t('token.chart.log'), isOn: view.log, change: { log: !view.log } },
    { key: 'marks', label: t('token.chart.myTrades'), isOn: view.marks, change: { marks: !view.marks } },
  ];
  const full = t(isFull ? 'token.chart.leaveFull' : 'token.chart.full');
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-3 py-2">
      <SegmentedControl
        label={t('token.chart.interval')}
        value={view.interval}
        onChange={(interval) => onView({ interval })}
        options={intervals}
      />
      <div className="flex items-center gap-0.5 max-sm:w-full max-sm:justify-between">
        <Either
          label={t('token.chart.unit')}
          value={view.unit}
          options={[
            ['usd', 'USD'],
            ['sol', 'SOL'],
          ]}
          onChange={(unit) => onView({ unit })}
        />
        <Either
          label={t('token.chart.value')}
          value={view.value}
          options={[
            ['price', t('token.chart.price')],
            ['cap', t('token.chart.cap')],
          ]}
          onChange={(value) => onView({ value })}
        />
        <span className="hidden gap-0.5 min-[1500px]:flex">
          {switches.map(({ key, label, isOn, change }) => (
            <button
              key={key}
              type="button"
              aria-pressed={isOn}
              className={`${button} aria-pressed:text-text`}
              onClick={() => onView(change)}
            >
              <span
                className={`size-1.5 rounded-full ${isOn ? 'bg-accent-text' : 'bg-line-strong'}`}
                aria-hidden="true"
              />
              {label}
            </button>
          ))}
        </span>
        <ToolMenus {...props} switches={switches} />
        <button
          type="button"
          aria-pressed={isFull}
          aria-label={full}
          title={full}
          className={`${button} min-w-[24px] justify-center`}
          onClick={() => onFull(!isFull)}
        >
          {isFull ? <ShrinkIcon size={15} /> : <ExpandIcon size={15} />}
        </button>
      </div>
    </div>
  );
}

type Switch = { key: string; label: string; isOn: boolean; change: Partial<ChartView> };

function ToolMenus({
  indicators,
  onIndicators,
  onDraw,
  onClear,
  onView,
  switches,
}: ToolbarProps & { switches: readonly Switch[] }) {
  const t = useT();
  const toggle = (name: IndicatorName) =>
    onIndicators(indicators.includes(name) ? indicators.filter((each) => each !== name) : [...indicators, name]);
  return (
    <>
      <Menu
        fit={fitMenu}
        label={t('token.chart.indicators')}
        triggerClassName={button}
        trigger={<MenuName name={t('token.chart.indicators')} />}
        items={[
          ...[...mainIndicators, ...paneIndicators].map((name) => ({
            key: name as string,
            label: (
              <span className="whitespace-nowrap">
                {name} <span className="font-normal text-faint">{t(`token.chart.names.${name}`)}</span>
              </span>
            ),
            selected: indicators.includes(name),
            onSelect: () => toggle(name),
          })),
          // Where the toolbar has no room for them.
          ...switches.map(({ key, label, isOn, change }) => ({
            key,
            label,
            selected: isOn,
            className: 'min-[1500px]:hidden',
            onSelect: () => onView(change),
          })),
        ]}
      />
      <Menu
        fit={fitMenu}
        label={t('token.chart.draw')}
        triggerClassName={button}
        trigger={<MenuName name={t('token.chart.draw')} />}
        items={[
          ...drawingTools.map((tool) => ({
            key: tool as string,
            label: t(`token.chart.tools.${tool}`),
            onSelect: () => onDraw(tool),
          })),
          {
            key: 'clear',
            label: <span className="whitespace-nowrap">{t('token.chart.clearDrawings')}</span>,
            onSelect: onClear,
          },
        ]}
      />
    </>
  );
}

/** One of two, both visible, in the width of a word: a click takes the other. */
function Either<Key extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Key;
  options: readonly [readonly [Key, string], readonly [Key, string]];
  onChange: (key: Key) => void;
}) {
  const [first, second] = options;
  const other = value === first[0] ? second : first;
  return (
    <button
      type="button"
      className={button}
      aria-label={`${first[1]} / ${second[1]}, ${label}: ${(value === first[0] ? first : second)[1]}`}
      title={label}
      onClick={() => onChange(other[0])}
    >
      {options.map(([key, text], at) => (
        <span key={key} aria-hidden="true">
          {at === 1 && <span className="text-faint"> / </span>}
          <span className={key === value ? 'font-semibold text-text' : ''}>{text}</span>
        </span>
      ))}
    </button>
  );
}

function MenuName({ name }: { name: string }) {
  return (
    <>
      {name}
      <ChevronDownIcon size={13} />
    </>
  );
}
