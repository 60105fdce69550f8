// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Tabs } from './tabs.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const rect = (left: number, right: number) => () => ({ left, right }) as DOMRect;

it('moves the line to the open tab, also where a count in another label has pushed it aside later', () => {
  const ofTabs = new Set<() => void>();
  class Sizes {
    readonly #run: () => void;
    constructor(run: () => void) {
      this.#run = run;
    }
    observe(element: Element): void {
      if (element.hasAttribute('data-tab')) ofTabs.add(this.#run);
    }
    unobserve(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', Sizes);
  const items = ['orders', 'holders'].map((key) => ({ key, label: key, content: null }));
  render(<Tabs label="Lists" value="holders" onChange={() => {}} items={items} />);
  const line = screen.getByRole('tablist');
  const tab = screen.getByRole('tab', { name: 'holders' });
  line.getBoundingClientRect = rect(0, 300);
  const place = (left: number, right: number) => {
    tab.getBoundingClientRect = rect(left, right);
    act(() => ofTabs.forEach((run) => run()));
    return line.scrollLeft;
  };
  expect(place(200, 260)).toBe(0);
  // Under the fade at the end of the line.
  expect(place(230, 290)).toBe(206);
});
