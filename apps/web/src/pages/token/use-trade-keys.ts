import { useEffect, useRef } from 'react';
import { isForPage } from '../../ui/is-for-page.ts';

/** B and S start a buy or a sell from anywhere on the page, unless something is being typed or a dialog is open. */
export function useTradeKeys(onKey: (side: 'buy' | 'sell') => void): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !isForPage(event)) return;
      const side = event.key.toLowerCase() === 'b' ? 'buy' : event.key.toLowerCase() === 's' ? 'sell' : null;
      if (side === null) return;
      event.preventDefault();
      latest.current(side);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
