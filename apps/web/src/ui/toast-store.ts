// Short messages about what just happened. The same text twice at once is one toast whose time starts again.
import { createStore } from 'zustand/vanilla';

export type ToastKind = 'success' | 'error' | 'info';
type ToastAction = { label: string; run: () => void };
export type Toast = { id: number; kind: ToastKind; text: string; action?: ToastAction; expiresAtMs: number };

export const TOASTS_MAX = 4;
const LIFE_MS: Record<ToastKind, number> = { success: 4_000, info: 5_000, error: 6_000 };

export function createToastStore(nowMs: () => number) {
  const store = createStore<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }));
  let lastId = 0;
  function show(kind: ToastKind, text: string, action?: ToastAction): number {
    const { toasts } = store.getState();
    const same = toasts.find((toast) => toast.kind === kind && toast.text === text);
    const id = same?.id ?? ++lastId;
    const toast: Toast = { id, kind, text, expiresAtMs: nowMs() + LIFE_MS[kind], ...(action ? { action } : {}) };
    const next = same ? toasts.map((old) => (old.id === id ? toast : old)) : [...toasts, toast];
    store.setState({ toasts: next.slice(-TOASTS_MAX) });
    return id;
  }
  return {
    store,
    success: (text: string, action?: ToastAction) => show('success', text, action),
    error: (text: string, action?: ToastAction) => show('error', text, action),
    info: (text: string, action?: ToastAction) => show('info', text, action),
    dismiss(id: number) {
      store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
    },
    /** What failed before has been answered by a success. */
    dismissErrors() {
      store.setState(({ toasts }) => ({ toasts: toasts.filter(({ kind }) => kind !== 'error') }));
    },
    /** Keeps a toast that the user is reading. */
    hold(id: number) {
      setExpiry(id, Number.POSITIVE_INFINITY);
    },
    release(id: number) {
      setExpiry(id, nowMs() + 2_000);
    },
    dropExpired() {
      const now = nowMs();
      if (!store.getState().toasts.some((toast) => toast.expiresAtMs <= now)) return;
      store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.expiresAtMs > now) }));
    },
  };
  function setExpiry(id: number, expiresAtMs: number): void {
    store.setState(({ toasts }) => ({
      toasts: toasts.map((toast) => (toast.id === id ? { ...toast, expiresAtMs } : toast)),
    }));
  }
}

export const toast = createToastStore(() => performance.now());
