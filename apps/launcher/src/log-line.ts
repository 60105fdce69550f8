import type { ReadyFacts } from './service.ts';

function parseObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function parseReadyLine(line: string): ReadyFacts | undefined {
  const { ready, ...facts } = parseObject(line) ?? {};
  return ready === true ? facts : undefined;
}

/** The structured logs count severity upwards; 50 is an error, 60 is fatal. */
const ERROR_LEVEL = 50;

export function isErrorLine(line: string): boolean {
  const level = parseObject(line)?.['level'];
  return typeof level === 'number' && level >= ERROR_LEVEL;
}

/** What only the log file keeps: structured lines that are no errors, such as a retry while another part is starting. */
export function isForTheLogOnly(line: string): boolean {
  const level = parseObject(line)?.['level'];
  return typeof level === 'number' && level < ERROR_LEVEL;
}

/** What a part says of its environment before it ends: `LEASE_SECONDS is not valid: …`. There may be several such lines. */
export function isAboutVariable(line: string): boolean {
  return /^[A-Z][A-Z0-9_]* (is|must|has|needs) /.test(line);
}

/** A line with the name of the part that wrote it, as a person reads it. */
export function terminalLine(name: string, line: string): string {
  return `[${name}] ${wordsOf(line)}`;
}

/** What a structured line says; any other line is its own words. Without control characters: strangers write parts of it, to a terminal. */
export function wordsOf(line: string): string {
  return plainWordsOf(line).replaceAll(/\p{Cc}+/gu, ' ');
}

function plainWordsOf(line: string): string {
  const entry = parseObject(line);
  const message = entry?.['msg'];
  const cause = entry?.['err'];
  const detail =
    typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string'
      ? `: ${cause.message}`
      : '';
  return typeof message === 'string' ? `${message}${detail}` : line;
}
