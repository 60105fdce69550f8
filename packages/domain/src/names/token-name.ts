/**
 * Names and symbols come from strangers. They may turn the text around them (direction overrides), hide in plain sight (zero
 * width, blank letters), pile up marks, or run on for pages.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u115f\u1160\u2800\u3164\uffa0]/gu;
const SPACES = /[\p{Z}\t\n\r\f\v]+/gu;
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;

export const TOKEN_NAME_LENGTH_MAX = 40;
export const TOKEN_SYMBOL_LENGTH_MAX = 16;

/** Safe to show next to other text; null where nothing visible is left, so that the caller shows the address instead. */
export function cleanTokenText(text: string, lengthMax: number): string | null {
  const visible = text
    .slice(0, 1_000)
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    // Last of the replacements that can join a letter with its mark.
    .normalize('NFC')
    .replace(PILED_MARKS, '$1')
    .replace(/ +/g, ' ')
    .trim();
  const characters = Array.from(visible);
  if (characters.length === 0) return null;
  return characters.length <= lengthMax
    ? visible
    : `${characters
        .slice(0, lengthMax - 1)
        .join('')
        .trimEnd()}…`;
}

export function cleanTokenName(text: string): string | null {
  return cleanTokenText(text, TOKEN_NAME_LENGTH_MAX);
}

export function cleanTokenSymbol(text: string): string | null {
  return cleanTokenText(text, TOKEN_SYMBOL_LENGTH_MAX);
}
