import { useCallback, useState } from 'react';
import { parseTokenChart, readTokenChart, writeTokenChart } from '../../chart/chart-choices.ts';
import type { Drawing, IndicatorName } from '../../chart/chart-choices.ts';
import type { ChartScale } from '../../chart/chart-scale.ts';
import { browserStorage } from '../../ui/browser-storage.ts';
import { queryClient } from '../../data/query-client.ts';
import { saveItemLater } from '../../data/saved-items.ts';
import { useUser } from '../../data/session.ts';
import { apiKey, useApiQuery } from '../../data/use-api-query.ts';

/** Indicators and drawings of this account on this token: at once from this browser, then what another device may have saved. */
export function useTokenChart(address: string) {
  const account = useUser((user) => user?.email ?? null);
  const place = account ?? 'visitor';
  const [kept, setKept] = useState(() => ({ chart: readTokenChart(browserStorage, place, address), isOwn: false }));
  const saved = useApiQuery(
    'getMySavedItems',
    { kind: 'chart', key: address },
    { quiet: true, enabled: account !== null, staleTimeMs: 0 },
  );
  const text = saved.data?.lists[0]?.value;
  // What is drawn here before the answer came is newer than the answer.
  const [applied, setApplied] = useState<string>();
  if (text !== undefined && text !== applied && !kept.isOwn) {
    setApplied(text);
    const chart = parseTokenChart(text);
    if (chart) setKept({ chart, isOwn: false });
  }
  const save = useCallback(
    (change: (before: typeof kept.chart) => typeof kept.chart) =>
      setKept(({ chart: before }) => {
        const chart = change(before);
        writeTokenChart(browserStorage, place, address, chart);
        const value = JSON.stringify(chart);
        saveItemLater('chart', address, value);
        // Whoever comes back to the token finds this, and not the answer of before.
        queryClient.setQueryData(apiKey('getMySavedItems', { kind: 'chart', key: address }), {
          lists: [{ key: address, value, savedAt: 0 }],
        });
        return { chart, isOwn: true };
      }),
    [place, address],
  );
  return {
    ...kept.chart,
    /** Changes when drawings came from elsewhere and have to be shown anew. */
    revision: applied ?? '',
    setIndicators: (indicators: readonly IndicatorName[]) => save((before) => ({ ...before, indicators })),
    // The chart shows and tells those of one unit; the others stay as they are.
    setDrawings: (drawings: readonly Drawing[], unit: ChartScale['unit']) =>
      save((before) => ({
        ...before,
        drawings: [...before.drawings.filter((drawing) => drawing.unit !== unit), ...drawings],
      })),
  };
}
