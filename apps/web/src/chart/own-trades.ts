import { registerOverlay } from 'klinecharts';
import type { OverlayCreate } from 'klinecharts';
import type { TradeMark } from './group-trades.ts';

export const OWN_TRADE = 'ownTrade';
const SIZE = 16;
const GAP = 10;

type Drawn = { side: TradeMark['side']; text: string; color: string; textColor: string; family: string };

/** A small flag at the traded price: below it for a buy, above it for a sell. */
export function registerOwnTrades(): void {
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
      const half = SIZE / 2 + (trade.text.length - 1) * 3;
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
          type: 'rect',
          attrs: { x: at.x - half, y: middle - SIZE / 2, width: 2 * half, height: SIZE },
          styles: { style: 'fill', color: trade.color, borderRadius: SIZE / 2 },
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
  { time, side, price, count }: TradeMark,
  letters: Record<TradeMark['side'], string>,
  colours: { up: string; down: string; text: string; family: string },
): OverlayCreate<Drawn> {
  return {
    name: OWN_TRADE,
    groupId: OWN_TRADE,
    lock: true,
    points: [{ timestamp: time, value: price }],
    extendData: {
      side,
      text: count === 1 ? letters[side] : `${letters[side]}${count}`,
      color: side === 'buy' ? colours.up : colours.down,
      textColor: colours.text,
      family: colours.family,
    },
  };
}
