import type { StopAtOnce } from './base.ts';

/** Ends a process that cannot listen. The system's error has the address alone; the settings that chose it are named here. */
export function addressRefused(
  stopAtOnce: StopAtOnce,
  settings: Readonly<Record<string, string | number>>,
): (error: Error) => never {
  const named = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return (error) => stopAtOnce(`cannot listen on ${named.join(' ')}: ${error.message}`);
}
