// JSON numbers above 2^53 lose digits as doubles, so integers that large come out as bigint, taken from
// the source text. Reviving visits every value; replies without a long number skip it. The sentinel rent epoch
// that almost every account reply carries is exempt: nobody reads it, and it alone would slow every account read.
const LONG_INTEGER = /[:[,]\s*-?(?!18446744073709551615\b)\d{16,}/;

export function parseRpcJson(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    const source = context?.source;
    return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
  });
}
