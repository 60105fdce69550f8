import { useSyncExternalStore } from 'react';
import type { CallReply } from '@hunter/contract/calls';
import { api } from './api.ts';

type AppConfig = CallReply<'getConfig'>;

const ATTEMPTS_MAX = 4;
const RETRY_AFTER_MS = 1_500;

const listeners = new Set<() => void>();
let config: AppConfig | null = null;
let loading: Promise<AppConfig> | null = null;

async function load(): Promise<AppConfig> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      config = await api.call('getConfig', {}, { skipErrorHandling: true });
      for (const listener of listeners) listener();
      return config;
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    }
  }
}

/** What this installation is. It does not change while the page is open, so it is asked for once. */
function loadConfig(): Promise<AppConfig> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** Production's chain is the safe assumption while the server has not answered. */
export async function loadChainId(): Promise<AppConfig['chainId']> {
  try {
    return (await loadConfig()).chainId;
  } catch {
    return '501';
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  loadConfig().catch((error: unknown) => console.error('The configuration could not be loaded', error));
  return () => listeners.delete(listener);
}

/** Null until the server has answered. */
export function useAppConfig(): AppConfig | null {
  return useSyncExternalStore(subscribe, () => config);
}
