// The wait before another verification code may be sent. Kept for the browser's tab, so that neither another form nor a
// reload resets it: the server would refuse the next code all the same.
import { useEffect, useState } from 'react';

export type CodePurpose = 'register' | 'reset' | 'export' | 'unfreeze';

const keyOf = (purpose: CodePurpose) => `codeReadyAt.${purpose}`;

function readReadyAt(purpose: CodePurpose): number | undefined {
  try {
    const stored = Number(sessionStorage.getItem(keyOf(purpose)));
    return Number.isFinite(stored) && stored > 0 ? stored : undefined;
  } catch {
    return undefined;
  }
}

function writeReadyAt(purpose: CodePurpose, readyAtMs: number): void {
  try {
    sessionStorage.setItem(keyOf(purpose), String(readyAtMs));
  } catch {
    // Storage is forbidden; the server keeps the wait.
  }
}

function secondsLeft(readyAt: number | undefined, nowMs: number): number {
  return readyAt === undefined ? 0 : Math.max(0, Math.ceil((readyAt - nowMs) / 1_000));
}

export function useCodeCooldown(purpose: CodePurpose): { seconds: number; start: (seconds: number) => void } {
  const [seconds, setSeconds] = useState(() => secondsLeft(readReadyAt(purpose), Date.now()));
  const waiting = seconds > 0;
  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setInterval(() => setSeconds(secondsLeft(readReadyAt(purpose), Date.now())), 250);
    return () => clearInterval(timer);
  }, [waiting, purpose]);
  return {
    seconds,
    start(next) {
      writeReadyAt(purpose, Date.now() + next * 1_000);
      setSeconds(next);
    },
  };
}
