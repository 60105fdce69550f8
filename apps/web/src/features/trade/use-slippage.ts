import { useAppConfig } from '../../data/app-config.ts';
import { useLoggedIn } from '../../data/session.ts';
import { useMySetting } from '../../data/use-my-setting.ts';

/** The user's slippage. */
export function useSlippage(): {
  /** Null while the user's own is not known: then it is left to the server, which knows it. */
  bps: number | null;
  maxBps: number;
  save: (bps: number) => Promise<void>;
  saving: boolean;
} {
  const config = useAppConfig();
  const loggedIn = useLoggedIn();
  const { value, save, saving } = useMySetting('slippageBps');
  return {
    bps: value ?? (loggedIn ? null : (config?.defaultSlippageBps ?? null)),
    maxBps: config?.maxSlippageBps ?? 5_000,
    saving,
    save,
  };
}
