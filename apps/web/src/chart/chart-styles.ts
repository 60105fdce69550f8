import type { DeepPartial, Styles } from 'klinecharts';

/** The theme's variables as the chart needs them: it draws on a canvas, where CSS does not reach. */
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    surface: read('surface'),
    raised: read('raised'),
    line: read('line'),
    lineStrong: read('line-strong'),
    text: read('text'),
    muted: read('muted'),
    faint: read('faint'),
    accent: read('accent'),
    accentText: read('accent-text'),
    onAccent: read('on-accent'),
    up: read('up'),
    upSolid: read('up-solid'),
    down: read('down'),
    downSolid: read('down-solid'),
    gold: read('gold'),
    warn: read('warn'),
    family: read('font'),
  };
}

type ChartTheme = ReturnType<typeof readTheme>;

/** Called when the document's theme has been applied. */
export function chartTheme(): ChartTheme {
  return readTheme();
}

export function chartStyles(theme: ChartTheme, narrow: boolean): DeepPartial<Styles> {
  const text = textOf(theme);
  const grid = { size: 1, color: theme.line, style: 'solid' as const };
  const label = { ...text, color: theme.text, backgroundColor: theme.lineStrong, borderColor: theme.lineStrong };
  const axis = {
    axisLine: { color: theme.line },
    tickLine: { color: theme.line },
    tickText: { ...text, color: theme.faint },
  };
  return {
    grid: { horizontal: grid, vertical: { ...grid, show: false } },
    candle: candleStyles(theme, narrow),
    indicator: indicatorStyles(theme),
    xAxis: axis,
    yAxis: { ...axis, axisLine: { show: false, color: theme.line }, tickLine: { show: false, color: theme.line } },
    separator: { size: 1, color: theme.line, fill: true, activeBackgroundColor: theme.line },
    crosshair: {
      horizontal: { line: { color: theme.faint }, text: label },
      vertical: { line: { color: theme.faint }, text: label },
    },
    overlay: overlayStyles(theme),
  };
}

function textOf({ family }: ChartTheme) {
  return { family, size: 11, weight: '500' };
}

function legendOf(theme: ChartTheme) {
  return { ...textOf(theme), color: theme.muted, marginLeft: 8, marginTop: 5, marginRight: 0, marginBottom: 0 };
}

function candleStyles(theme: ChartTheme, narrow: boolean): DeepPartial<Styles['candle']> {
  const text = textOf(theme);
  const extreme = { color: theme.muted, textFamily: theme.family, textSize: 11 };
  return {
    type: 'candle_solid',
    bar: {
      upColor: theme.up,
      downColor: theme.down,
      noChangeColor: theme.faint,
      upBorderColor: theme.up,
      downBorderColor: theme.down,
      noChangeBorderColor: theme.faint,
      upWickColor: theme.up,
      downWickColor: theme.down,
      noChangeWickColor: theme.faint,
    },
    priceMark: {
      high: extreme,
      low: extreme,
      last: {
        upColor: theme.upSolid,
        downColor: theme.downSolid,
        noChangeColor: theme.muted,
        text: { ...text, color: theme.onAccent },
      },
    },
    // On a phone the figures would cover the candles, so they come with the finger.
    tooltip: {
      showRule: narrow ? 'follow_cross' : 'always',
      title: { show: false, ...text, color: theme.text },
      legend: { ...legendOf(theme), defaultValue: '-' },
    },
  };
}

/** Lines of indicators take colours that mean neither gain nor loss. */
function indicatorStyles(theme: ChartTheme): DeepPartial<Styles['indicator']> {
  const legend = legendOf(theme);
  const bar = {
    style: 'fill' as const,
    // Half as strong as the candles, so that volume stays in the background.
    upColor: `${theme.up}80`,
    downColor: `${theme.down}80`,
    noChangeColor: theme.lineStrong,
    borderSize: 0,
    borderStyle: 'solid' as const,
    borderDashedValue: [2, 2],
  };
  const lines = [theme.gold, theme.accentText, theme.muted, theme.warn, theme.text].map((color) => ({
    style: 'solid' as const,
    smooth: false,
    size: 1.2,
    dashedValue: [2, 2],
    color,
  }));
  return {
    ohlc: { upColor: theme.up, downColor: theme.down, noChangeColor: theme.faint },
    bars: [bar],
    lines,
    circles: [{ ...bar, upColor: theme.up, downColor: theme.down }],
    lastValueMark: { show: false, text: { ...textOf(theme), color: theme.onAccent } },
    tooltip: {
      title: { ...legend, show: true, showName: true, showParams: true },
      legend: { ...legend, defaultValue: '-' },
    },
  };
}

function overlayStyles(theme: ChartTheme): DeepPartial<Styles['overlay']> {
  return {
    point: {
      color: theme.accent,
      borderColor: theme.accent,
      activeColor: theme.accentText,
      activeBorderColor: theme.accentText,
    },
    line: { color: theme.accentText },
    text: { ...textOf(theme), color: theme.onAccent, backgroundColor: theme.accent, borderColor: theme.accent },
    rect: { color: 'transparent', borderColor: theme.accentText },
    polygon: { color: 'transparent', borderColor: theme.accentText },
    circle: { color: 'transparent', borderColor: theme.accentText },
    arc: { color: theme.accentText },
  };
}
