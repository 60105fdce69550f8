// Horizontal lines at prices that matter to the user: the average cost, the orders that wait or are being composed. Each says its price itself,
// because a mark on the axis would cover that of the last trade. One outside of the pane is a tag with an arrow at its edge. Some can
// be dragged while they are in sight; what that means is decided elsewhere, and until then the line stays where it was dropped.
import { registerOverlay, utils } from 'klinecharts';
import type { Chart, OverlayCreate } from 'klinecharts';
import { withLevels } from './price-scale.ts';
import { besideEdge, edgeOf, placeTag, TAG_GAP } from './tag-place.ts';
import type { Edge, PlacedTag, Tag } from './tag-place.ts';

export type LevelTone = 'up' | 'down' | 'accent';
export type LevelLine = {
  id: string;
  /** On the chart's own scale. */
  value: number;
  label: string;
  tone: LevelTone;
  draggable: boolean;
  /** Not placed yet: fainter than what is. */
  isPlanned?: boolean;
};

/** Where the candles are; named by the library. */
export const CANDLE_PANE = 'candle_pane';
export const LEVEL_LINE = 'levelLine';

type Colours = Record<LevelTone, string> & {
  onLine: string;
  surface: string;
  /** Of text on the surface. */
  texts: Record<LevelTone, string>;
  family: string;
  axisText: (value: number) => string;
};
type Drawn = Omit<LevelLine, 'value' | 'id'> & { colours: Colours };

export function registerLevelLines(): void {
  registerOverlay<Drawn>({
    name: LEVEL_LINE,
    totalStep: 2,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ chart, overlay, coordinates, bounding }) => {
      const y = coordinates[0]?.y;
      if (y === undefined || !overlay.extendData) return [];
      const { colours, tone, draggable, isPlanned } = overlay.extendData;
      const places = tagPlaces(chart, bounding);
      const place = places.get(overlay.id) ?? { x: TAG_GAP, y };
      const edge = edgeOf(y, bounding);
      const tag = {
        type: 'text',
        attrs: {
          x: place.x,
          y: place.y,
          text: tagText(overlay.extendData, overlay.points[0]?.value, edge),
          align: 'left',
          baseline: 'middle',
        },
        styles: tagStyles(overlay.extendData, edge),
      };
      // Dragged from the edge, a line would stay out of sight.
      if (edge !== null) return [{ ...tag, ignoreEvent: true }];
      const covering = [...places.values()].filter((tag) => Math.abs(tag.y - y) < tag.height / 2);
      const behindTags = Math.max(0, ...covering.map(({ x, width }) => x + width));
      // Not across the tags: one of another line may have been drawn already.
      const pieces = [
        [0, behindTags > 0 ? TAG_GAP : 0],
        [behindTags, bounding.width],
      ] as const;
      return [
        ...pieces.map(([from, to]) => ({
          type: 'line',
          attrs: {
            coordinates: [
              { x: from, y },
              { x: to, y },
            ],
          },
          styles: {
            style: draggable || isPlanned ? 'dashed' : 'solid',
            dashedValue: isPlanned ? [2, 5] : [5, 4],
            size: 1,
            color: colours[tone],
          },
        })),
        tag,
      ];
    },
  });
}

function isCoarse(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

function tagStyles({ colours, tone, draggable, isPlanned }: Drawn, edge: Edge | null) {
  // What a finger drags has to be as tall as a finger.
  const padding = draggable && edge === null && isCoarse() ? 8 : 2;
  return {
    style: 'stroke_fill',
    color: isPlanned ? colours.texts[tone] : colours.onLine,
    backgroundColor: isPlanned ? colours.surface : colours[tone],
    borderColor: colours[tone],
    borderSize: isPlanned ? 1 : 0,
    borderRadius: 4,
    size: 11,
    family: colours.family,
    weight: '500',
    paddingLeft: 5,
    paddingRight: 5,
    paddingTop: padding,
    paddingBottom: padding,
  };
}

const ARROWS = { top: '↑ ', bottom: '↓ ' };

function tagText({ label, draggable, colours }: Drawn, value: number | undefined, edge: Edge | null): string {
  const mark = edge === null ? (draggable ? '⇕ ' : '') : ARROWS[edge];
  return `${mark}${label} ${colours.axisText(value ?? 0)}`;
}

function tagSize(drawn: Drawn, value: number, edge: Edge | null): Pick<Tag, 'width' | 'height'> {
  const { size, weight, family, paddingLeft, paddingRight, paddingTop, paddingBottom } = tagStyles(drawn, edge);
  return {
    width: utils.calcTextWidth(tagText(drawn, value, edge), size, weight, family) + paddingLeft + paddingRight,
    height: size + paddingTop + paddingBottom,
  };
}

/**
 * Of all lines by their ids, apart from each other: those to drag nearest to the start, and from the top down. What lies outside of
 * the pane stands at its edge, the nearest first.
 */
function tagPlaces(chart: Chart, pane: { width: number; height: number }): Map<string, PlacedTag> {
  const tags = chart.getOverlays({ groupId: LEVEL_LINE }).flatMap(({ id, lock, points, extendData }) => {
    const value = points[0]?.value;
    if (value === undefined) return [];
    const { y } = chart.convertToPixel({ value }, { paneId: CANDLE_PANE }) as { y?: number };
    if (y === undefined) return [];
    const edge = edgeOf(y, pane);
    const size = tagSize(extendData as Drawn, value, edge);
    const placed = edge === null ? y : besideEdge(edge, size.height, pane, legendHeight(chart, pane));
    const rank = edge === null ? Number(lock) : 2;
    return [{ id, rank, order: edge === 'top' ? -y : y, tag: { y: placed, ...size } }];
  });
  const places = new Map<string, PlacedTag>();
  for (const { id, tag } of tags.sort((a, b) => a.rank - b.rank || a.order - b.order)) {
    places.set(id, placeTag(tag, [...places.values()], pane));
  }
  return places;
}

const LEGEND_TOP_PX = 8;
const LEGEND_LINE_PX = 16;
/** A name and a price, as wide as they get. */
const LEGEND_ITEM_PX = 108;
/** Time, open, high, low, close and volume. */
const CANDLE_ITEMS = 6;

/**
 * Of the text in the upper corner: the figures of the candle, where they stand there always, and those of each indicator over the
 * candles behind its name. They wrap where the pane is narrow.
 */
function legendHeight(chart: Chart, pane: { width: number }): number {
  const perLine = Math.max(1, Math.floor(pane.width / LEGEND_ITEM_PX));
  const ofCandle = chart.getStyles().candle.tooltip.showRule === 'always' ? [CANDLE_ITEMS] : [];
  const ofIndicators = chart.getIndicators({ paneId: CANDLE_PANE }).map(({ figures }) => 1 + figures.length);
  const lines = [...ofCandle, ...ofIndicators].reduce((sum, items) => sum + Math.ceil(items / perLine), 0);
  return lines === 0 ? 0 : LEGEND_TOP_PX + lines * LEGEND_LINE_PX;
}

type Drag = { onStart: () => void; onEnd: (id: string, value: number) => void };

export function showLevelLines(chart: Chart, lines: readonly LevelLine[], colours: Colours, drag: Drag): void {
  chart.removeOverlay({ groupId: LEVEL_LINE });
  for (const { id, value, ...drawn } of lines) {
    const overlay: OverlayCreate<Drawn> = {
      name: LEVEL_LINE,
      id: `${LEVEL_LINE}:${id}`,
      groupId: LEVEL_LINE,
      lock: !drawn.draggable,
      points: [{ value }],
      extendData: { ...drawn, colours },
      onPressedMoveStart: drag.onStart,
      onPressedMoveEnd: (event) => drag.onEnd(id, event.overlay.points[0]?.value ?? value),
      // The library removes what is clicked with the right button.
      onRightClick: (event) => event.preventDefault?.(),
    };
    chart.createOverlay(overlay as OverlayCreate);
  }
}

/** Half of what a finger covers. */
const FINGER_PX = 14;

/** Whether a finger at this height of the chart, whose topmost pane is that of the candles, touches a line to drag or its tag. */
export function isOnDraggable(chart: Chart, y: number): boolean {
  const pane = chart.getSize(CANDLE_PANE, 'main');
  if (!pane) return false;
  const tags = tagPlaces(chart, pane);
  return chart.getOverlays({ groupId: LEVEL_LINE }).some(({ id, lock, points }) => {
    const value = points[0]?.value;
    if (lock || value === undefined) return false;
    const line = chart.convertToPixel({ value }, { paneId: CANDLE_PANE, absolute: true }) as { y?: number };
    if (line.y === undefined || edgeOf(line.y, pane) !== null) return false;
    return [line.y, tags.get(id)?.y].some((place) => place !== undefined && Math.abs(place - y) <= FINGER_PX);
  });
}

/** The range of the pane, widened to the lines that are near it: one that is out of sight cannot be dragged. */
export function rangeWithLines(chart: Chart, range: { low: number; high: number }): { low: number; high: number } {
  const values = chart.getOverlays({ groupId: LEVEL_LINE }).map(({ points }) => points[0]?.value ?? Number.NaN);
  return withLevels(range, values);
}
