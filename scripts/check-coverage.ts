import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The words in `docs/spec-coverage.md` for a promise that no test proves so far. */
export const NOT_BUILT = 'not built yet';

export type CoverageResult = { readonly complaints: string[]; readonly covered: number; readonly notBuilt: number };

/** The first cell of every table row that holds an id such as `R8` or `R8≈`. */
function rows(markdown: string): { id: string; cells: string[] }[] {
  return markdown.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const id = /^([A-Z]\d+)≈?$/.exec(cells[1] ?? '')?.[1];
    return id === undefined ? [] : [{ id, cells: cells.slice(2) }];
  });
}

/** A test file in backquotes and the titles behind it: `file`: “title”, “title”. */
const namedTests = /`([^`]+)`((?::|,)? *“[^”]*”)*/g;

/** Titles stand as in the file; `…` is what a template fills in. */
function hasTitle(source: string, title: string): boolean {
  return title.split('…').every((part) => source.includes(part) || source.includes(part.replaceAll("'", "\\'")));
}

/** `read` gives the text of a file, undefined where there is none. */
export function decideCoverage(
  checklist: string,
  coverage: string,
  read: (path: string) => string | undefined,
): CoverageResult {
  const promised = rows(checklist).map(({ id }) => id);
  const stated = rows(coverage);
  const complaints: string[] = [];
  let covered = 0;
  let notBuilt = 0;
  const seen = new Set<string>();
  for (const { id, cells } of stated) {
    if (seen.has(id)) complaints.push(`${id} has two rows`);
    seen.add(id);
    if (!promised.includes(id)) complaints.push(`${id} is not in the checklist`);
    const text = cells.join(' | ');
    const named = [...text.matchAll(namedTests)].map(([all, file = '']) => ({
      file,
      titles: [...all.matchAll(/“([^”]*)”/g)].map((match) => match[1] ?? ''),
    }));
    if (named.length === 0 && text.includes(NOT_BUILT)) {
      notBuilt += 1;
      continue;
    }
    if (named.length === 0) complaints.push(`${id} names no test and does not say "${NOT_BUILT}"`);
    for (const { file, titles } of named) {
      const source = read(file);
      if (!/\.(test|spec)\.tsx?$/.test(file)) complaints.push(`${id} names ${file}, which is not a test`);
      else if (source === undefined) complaints.push(`${id} names ${file}, which does not exist`);
      else if (titles.length === 0) complaints.push(`${id} names no title of ${file}`);
      else {
        const missing = titles.filter((title) => !hasTitle(source, title));
        complaints.push(...missing.map((title) => `${id} names “${title}”, which is not in ${file}`));
      }
    }
    covered += 1;
  }
  for (const id of promised) if (!seen.has(id)) complaints.push(`${id} has no row`);
  return { complaints, covered, notBuilt };
}

export function checkCoverage(project: string): CoverageResult {
  const read = (file: string): string | undefined => {
    const path = join(project, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  const checklist = read('docs/checklist.md') ?? '';
  if (rows(checklist).length === 0) {
    return { complaints: ['docs/checklist.md holds no promise'], covered: 0, notBuilt: 0 };
  }
  return decideCoverage(checklist, read('docs/spec-coverage.md') ?? '', read);
}
