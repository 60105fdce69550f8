import { Tabs as Base } from '@base-ui/react/tabs';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

type TabItem<Key extends string> = {
  key: Key;
  label: ReactNode;
  /** Rendered while its tab is open only. */
  content: ReactNode;
};

/** As wide as the fade at the end of the line. */
const FADE = 28;

/** Tabs with the panels below. Arrow keys move, the panel follows. `aside` stands at the end of the tab line. */
export function Tabs<Key extends string>({
  value,
  onChange,
  items,
  label,
  aside,
}: {
  value: Key;
  onChange: (key: Key) => void;
  items: readonly TabItem<Key>[];
  label: string;
  aside?: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  // A link may open a tab that is beyond the edge of a phone; only the line moves, never the page.
  useEffect(() => {
    const line = list.current;
    const tab = line?.querySelector(`[data-tab=${value}]`);
    if (!line || !tab) return undefined;
    const reveal = (): void => {
      const { left, right } = line.getBoundingClientRect();
      const place = tab.getBoundingClientRect();
      if (place.left < left || place.right > right - FADE) line.scrollLeft += place.left - left - 24;
    };
    // Counts in the labels come later and push the tabs behind them aside.
    const sizes = new ResizeObserver(reveal);
    for (const each of line.children) sizes.observe(each);
    return () => sizes.disconnect();
  }, [value]);
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as Key)}>
      {/* On a phone the aside gets a line of its own: beside it no tab would be readable. */}
      <div className="flex items-center gap-x-4 border-b border-line px-4 max-sm:flex-wrap">
        <Base.List
          ref={list}
          aria-label={label}
          // On a phone the line fades out at its end, which says that it goes on there.
          className="-mb-px flex min-w-0 flex-1 gap-5 overflow-x-auto scroll-thin max-sm:basis-full max-sm:gap-4 max-sm:pr-6 max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-28px),transparent)] max-sm:[scrollbar-width:none]"
        >
          {items.map((item) => (
            <Base.Tab
              key={item.key}
              value={item.key}
              data-tab={item.key}
              className="flex shrink-0 items-center gap-1.5 border-b-2 border-transparent py-3 font-[550] whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 data-active:border-accent data-active:text-text"
            >
              {item.label}
            </Base.Tab>
          ))}
        </Base.List>
        {aside && <div className="shrink-0 max-sm:py-2">{aside}</div>}
      </div>
      {items.map((item) => (
        <Base.Panel key={item.key} value={item.key} className="focus-visible:-outline-offset-2">
          {item.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
