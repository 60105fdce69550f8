// What the user draws on the chart, told to whoever keeps it after every change.
import type { Chart, OverlayCreate } from 'klinecharts';
import type { ChartScale } from './chart-scale.ts';
import type { Drawing, DrawingTool } from './chart-choices.ts';

const DRAWINGS = 'drawings';

export type DrawingBoard = {
  draw: (tool: DrawingTool) => void;
  clear: () => void;
  /** Replaces what is drawn, without telling. */
  show: (drawings: readonly Drawing[], scale: ChartScale) => void;
};

export function createDrawingBoard(
  chart: Chart,
  onChange: (drawings: readonly Drawing[], unit: ChartScale['unit']) => void,
): DrawingBoard {
  let scale: ChartScale = { unit: 'usd', factor: 1 };
  let isReplacing = false;

  // An overlay that is being removed is still listed while it says so.
  const tell = () => {
    if (!isReplacing) queueMicrotask(() => onChange(read(), scale.unit));
  };

  function read(): Drawing[] {
    return chart
      .getOverlays({ groupId: DRAWINGS })
      .filter(({ currentStep }) => currentStep === -1)
      .map(({ name, points }) => ({
        tool: name as DrawingTool,
        unit: scale.unit,
        points: points.map(({ timestamp, value }) => ({
          ...(timestamp === undefined ? {} : { timestamp }),
          ...(value === undefined ? {} : { value: value / scale.factor }),
        })),
      }));
  }

  function add(tool: DrawingTool, points?: Drawing['points']): void {
    const overlay: OverlayCreate = {
      name: tool,
      groupId: DRAWINGS,
      onDrawEnd: tell,
      onPressedMoveEnd: tell,
      onRemoved: tell,
    };
    if (points) {
      overlay.points = points.map(({ timestamp, value }) => ({
        ...(timestamp === undefined ? {} : { timestamp }),
        ...(value === undefined ? {} : { value: value * scale.factor }),
      }));
    }
    chart.createOverlay(overlay);
  }

  return {
    draw: (tool) => add(tool),
    clear: () => void chart.removeOverlay({ groupId: DRAWINGS }),
    show(drawings, shownScale) {
      isReplacing = true;
      chart.removeOverlay({ groupId: DRAWINGS });
      isReplacing = false;
      scale = shownScale;
      for (const { tool, unit, points } of drawings) if (unit === scale.unit) add(tool, points);
    },
  };
}
