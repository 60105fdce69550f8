import { useEffect, useRef, useState } from 'react';
import { isForPage } from '../../ui/is-for-page.ts';

type Keyed = { tokenContractAddress: string };

/**
 * J and K mark a row, Enter opens it, unless something is being typed, a dialog is open or the focus is on something of its own. The
 * mark stays with its token when the order changes. Answers its place, -1 without one.
 */
export function useRowKeys(rows: readonly Keyed[], onOpen: (address: string) => void): number {
  const [marked, setMarked] = useState<string | null>(null);
  const index = rows.findIndex((row) => row.tokenContractAddress === marked);
  const latest = useRef({ index, rows, onOpen });
  useEffect(() => {
    latest.current = { index, rows, onOpen };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !isForPage(event)) return;
      const now = latest.current;
      const key = event.key.toLowerCase();
      if (key === 'j' || key === 'k') {
        event.preventDefault();
        const next = Math.max(0, Math.min(now.rows.length - 1, now.index + (key === 'j' ? 1 : -1)));
        setMarked(now.rows[next]?.tokenContractAddress ?? null);
      } else if (event.key === 'Enter' && now.index >= 0 && !isControl(event.target)) {
        event.preventDefault();
        now.onOpen(now.rows[now.index]!.tokenContractAddress);
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return index;
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('a,button,input,select') !== null;
}
