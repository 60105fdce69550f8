import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { watchStolenTime } from './stolen-time.ts';

export type Figures = Readonly<Record<string, unknown>>;

/** The default export of `NAME.bench.ts` and `NAME.proof.ts`: takes the arguments after the name, returns its figures. */
export type Measurement = (args: readonly string[]) => Promise<Figures>;

export type Kind = 'bench' | 'proof';

export function listNamed(kind: Kind, folder: string): { name: string; about: string }[] {
  const ending = `.${kind}.ts`;
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => ({ name: file.slice(0, -ending.length), about: openingSentence(join(folder, file)) }));
}

/** The first sentence of the comment that opens the file. */
function openingSentence(file: string): string {
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const text = comment
    .replaceAll(/^\s*\*?\s?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** The last line on standard output is always one line of JSON with the figures. */
export async function runNamed(kind: Kind, [name, ...args]: readonly string[], folder: string): Promise<void> {
  const all = listNamed(kind, folder);
  if (name === undefined) {
    if (all.length === 0) process.stdout.write('There are none yet.\n');
    for (const { name: known, about } of all) process.stdout.write(`${known.padEnd(16)} ${about}\n`);
    return;
  }
  if (!all.some((known) => known.name === name)) {
    process.stderr.write(`There is no ${kind} "${name}"; npm run ${kind} lists them.\n`);
    process.exit(1);
  }
  const loaded = (await import(join(folder, `${name}.${kind}.ts`))) as { default: Measurement };
  try {
    const stolenPercent = watchStolenTime();
    const figures = await loaded.default(args);
    process.stdout.write(
      `${JSON.stringify({ [kind]: name, ...figures, stolenPercent: stolenPercent() }, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`,
    );
    process.exit(figures['ok'] === false ? 1 : 0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error && error.stack ? error.stack : String(error)}\n`);
    process.stdout.write(
      `${JSON.stringify({ [kind]: name, ok: false, error: error instanceof Error ? error.message : String(error) })}\n`,
    );
    process.exit(1);
  }
}
