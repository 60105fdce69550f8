import { registerOverlay } from 'klinecharts';
import type { OverlayCreate } from 'klinecharts';

/** A buy or a sell of the user. The wallet's trades only; nobody else's. */
export type OwnTrade = { id: string; time: number; side: 'buy' | 'sell'; price: number; text: string };

export const OWN_TRADE = 'ownTrade';
const SIZE = 16;
const GAP = 10;

type Drawn = OwnTrade & { color: string; textColor: string; family: string };

let registered = false;

/** A small flag at the traded price: below it for a buy, above it for a sell. */
export function registerOwnTrades(): void {
  if (registered) return;
  registered = true;
  registerOverlay<Drawn>({
    name: OWN_TRADE,
    totalStep: 2,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ overlay, coordinates }) => {
      const at = coordinates[0];
      const trade = overlay.extendData;
      if (!at || !trade) return [];
      const down = trade.side === 'sell' ? -1 : 1;
      const middle = at.y + down * (GAP + SIZE / 2);
      const tip = at.y + down * 3;
      const base = at.y + down * (GAP + 1);
      return [
        {
          type: 'polygon',
          attrs: {
            coordinates: [
              { x: at.x, y: tip },
              { x: at.x - 4, y: base },
              { x: at.x + 4, y: base },
            ],
          },
          styles: { style: 'fill', color: trade.color },
          ignoreEvent: true,
        },
        {
          type: 'circle',
          attrs: { x: at.x, y: middle, r: SIZE / 2 },
          styles: { style: 'fill', color: trade.color },
          ignoreEvent: true,
        },
        {
          type: 'text',
          attrs: { x: at.x, y: middle, text: trade.text, align: 'center', baseline: 'middle' },
          styles: {
            style: 'fill',
            color: trade.textColor,
            backgroundColor: 'transparent',
            borderSize: 0,
            size: 10,
            family: trade.family,
            weight: 'bold',
            paddingLeft: 0,
            paddingRight: 0,
            paddingTop: 0,
            paddingBottom: 0,
          },
          ignoreEvent: true,
        },
      ];
    },
  });
}

export function ownTradeOverlay(
  trade: OwnTrade,
  colours: { up: string; down: string; text: string; family: string },
): OverlayCreate<Drawn> {
  return {
    name: OWN_TRADE,
    groupId: OWN_TRADE,
    lock: true,
    points: [{ timestamp: trade.time, value: trade.price }],
    extendData: {
      ...trade,
      color: trade.side === 'buy' ? colours.up : colours.down,
      textColor: colours.text,
      family: colours.family,
    },
  };
}
