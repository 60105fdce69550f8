import { useRef, useState } from 'react';

/**
 * A choice that the address keeps. A click is answered at once: the choice changes here first, and the address, which renders
 * the whole page, comes after the paint.
 */
export function useKeptChoice<Key>(kept: Key, keep: (key: Key) => void): [Key, (key: Key) => void] {
  const [chosen, setChosen] = useState(kept);
  const [known, setKnown] = useState(kept);
  const newest = useRef(kept);
  if (known !== kept) {
    setKnown(kept);
    setChosen(kept);
  }
  const choose = (key: Key) => {
    newest.current = key;
    setChosen(key);
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (newest.current === key) keep(key);
      }),
    );
  };
  return [chosen, choose];
}
