// The wait before another verification code may be sent. Kept outside the page, so that going back and forth between
// the forms does not reset it.
import { useEffect, useState } from 'react';

export type CodePurpose = 'register' | 'reset' | 'export';

const readyAtMs = new Map<CodePurpose, number>();

export function secondsLeft(readyAt: number | undefined, nowMs: number): number {
  return readyAt === undefined ? 0 : Math.max(0, Math.ceil((readyAt - nowMs) / 1_000));
}

export function useCodeCooldown(purpose: CodePurpose): { seconds: number; start: (seconds: number) => void } {
  const [seconds, setSeconds] = useState(() => secondsLeft(readyAtMs.get(purpose), Date.now()));
  const waiting = seconds > 0;
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setInterval(() => setSeconds(secondsLeft(readyAtMs.get(purpose), Date.now())), 250);
    return () => clearInterval(timer);
  }, [waiting, purpose]);
  return {
    seconds,
    start(next) {
      readyAtMs.set(purpose, Date.now() + next * 1_000);
      setSeconds(next);
    },
  };
}
