import { useCallback, useState } from 'react';
import type { RefCallback } from 'react';

const told = new WeakMap<Element, (isOnScreen: boolean) => void>();
let observer: IntersectionObserver | undefined;

/** One for all: a list watches each of its rows. */
function sharedObserver(): IntersectionObserver {
  return (observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) told.get(target)?.(isIntersecting);
  }));
}

/** Whether a part of the element with this ref can be seen. True until the browser has looked. */
export function useOnScreen(): { ref: RefCallback<Element>; isOnScreen: boolean } {
  const [isOnScreen, setOnScreen] = useState(true);
  const ref = useCallback((element: Element | null) => {
    if (!element) return undefined;
    told.set(element, setOnScreen);
    sharedObserver().observe(element);
    return () => sharedObserver().unobserve(element);
  }, []);
  return { ref, isOnScreen };
}
