import { useState } from 'react';

/** Whether an action is under way, and what starts one. A failure ends here: the call has told why, and what was typed stays. */
export function usePending(): [pending: boolean, run: (action: () => Promise<void>) => Promise<void>] {
  const [pending, setPending] = useState(false);
  async function run(action: () => Promise<void>): Promise<void> {
    setPending(true);
    try {
      await action();
    } catch {
      // Told by the call.
    } finally {
      setPending(false);
    }
  }
  return [pending, run];
}
