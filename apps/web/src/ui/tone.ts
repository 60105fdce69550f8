export type Tone = 'up' | 'down' | null;

/** Gain, loss or neither, read from the text so that no precision is lost. Zero and missing have no colour. */
export function toneOf(value: string | number | null | undefined): Tone {
  if (value === null || value === undefined) return null;
  const text = String(value).trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return null;
  if (!/[1-9]/.test(text.replace(/e.*$/i, ''))) return null;
  return text.startsWith('-') ? 'down' : 'up';
}

export const toneClass: Record<'up' | 'down', string> = { up: 'text-up', down: 'text-down' };
