import { foldConfusables } from './look-alike.ts';
import { cleanTokenText } from './token-name.ts';

const LENGTH_MIN = 2;
const LENGTH_MAX = 40;

export type StrategyName = {
  readonly name: string;
  /** The same for names that look alike. */
  readonly key: string;
};

/** Null for a name that hides or turns characters, or is nothing but signs: it could pass for another or break what stands beside it. */
export function readStrategyName(text: string): StrategyName | null {
  const name = text.trim().normalize('NFC');
  const characters = Array.from(name).length;
  if (characters < LENGTH_MIN || characters > LENGTH_MAX || cleanTokenText(name, LENGTH_MAX) !== name) return null;
  const key = strategyNameKey(name);
  // Signs that pass for letters fold to letters: the name itself must have one, too.
  return [name, key].every((text) => /[\p{L}\p{N}]/u.test(text)) ? { name, key } : null;
}

export function strategyNameKey(name: string): string {
  return foldConfusables(name);
}
