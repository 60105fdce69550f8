import { useState } from 'react';
import { isUnknown } from './attempts.ts';

/** Refused, or without an answer, so that it may have happened. */
export type Failure = 'failed' | 'unknown';

/** What a dialog shows of the money call that it makes. The reason of a refusal is told by the call itself. */
export function useMoneyAction() {
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState<Failure | null>(null);
  async function run(action: () => Promise<void>): Promise<void> {
    setFailed(null);
    setPending(true);
    try {
      await action();
    } catch (error) {
      setFailed(isUnknown(error) ? 'unknown' : 'failed');
    } finally {
      setPending(false);
    }
  }
  return { pending, failed, run, forget: () => setFailed(null) };
}
