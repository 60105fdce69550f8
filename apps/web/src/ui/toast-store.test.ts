import { describe, expect, it } from 'vitest';
import { createToastStore, TOASTS_MAX } from './toast-store.ts';

function aStore() {
  let now = 0;
  const toasts = createToastStore(() => now);
  return {
    toasts,
    texts: () => toasts.store.getState().toasts.map((toast) => toast.text),
    pass: (ms: number) => {
      now += ms;
      toasts.dropExpired();
    },
  };
}

describe('toasts', () => {
  it('leave by themselves, errors later than successes', () => {
    const { toasts, texts, pass } = aStore();
    toasts.success('done');
    toasts.error('failed');
    pass(4_000);
    expect(texts()).toEqual(['failed']);
    pass(2_000);
    expect(texts()).toEqual([]);
  });

  it('show the same text once and start its time again', () => {
    const { toasts, texts, pass } = aStore();
    toasts.error('offline');
    pass(5_000);
    toasts.error('offline');
    pass(5_000);
    expect(texts()).toEqual(['offline']);
  });

  it('stack up to a few, the oldest gives way', () => {
    const { toasts, texts } = aStore();
    for (let at = 1; at <= TOASTS_MAX + 2; at += 1) toasts.info(`toast ${at}`);
    expect(texts()).toEqual(['toast 3', 'toast 4', 'toast 5', 'toast 6']);
  });

  it('of failures leave once a success has answered them', () => {
    const { toasts, texts } = aStore();
    toasts.error('wrong password');
    toasts.info('news');
    toasts.dismissErrors();
    expect(texts()).toEqual(['news']);
  });

  it('stay while they are read', () => {
    const { toasts, texts, pass } = aStore();
    const id = toasts.success('read me');
    toasts.hold(id);
    pass(60_000);
    expect(texts()).toEqual(['read me']);
    toasts.release(id);
    pass(2_000);
    expect(texts()).toEqual([]);
  });
});
