import { FILE_SCORE_MIN, type MutantPart } from './parts.ts';
import type { EquivalentMutant } from './equivalent-mutants.ts';

type Position = { readonly line: number; readonly column: number };
type Mutant = {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status:
    | 'Killed'
    | 'Survived'
    | 'NoCoverage'
    | 'Timeout'
    | 'CompileError'
    | 'RuntimeError'
    | 'Ignored'
    | 'Pending';
  readonly location: { readonly start: Position; readonly end: Position };
};
/** The part of the mutation testing report format that is read here. */
export type MutationReport = {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
};

export type FileScore = {
  readonly file: string;
  readonly noticed: number;
  readonly valid: number;
  readonly missed: readonly string[];
};
export type PartScore = {
  readonly score: number;
  readonly valid: number;
  readonly equivalent: number;
  readonly files: readonly FileScore[];
  readonly problems: readonly string[];
};

const NOTICED: ReadonlySet<Mutant['status']> = new Set(['Killed', 'Timeout']);
const VALID: ReadonlySet<Mutant['status']> = new Set(['Killed', 'Timeout', 'Survived', 'NoCoverage']);

/** (killed + timed out) ÷ all valid mutants, without those listed as equivalent; a list that no longer fits is a problem. */
export function countMutants(report: MutationReport, part: MutantPart, listed: readonly EquivalentMutant[]): PartScore {
  const open = listed.filter(({ file }) => file in report.files);
  const problems: string[] = [];
  const found = new Set<EquivalentMutant>();
  const files = Object.entries(report.files).map(([file, { source, mutants }]): FileScore => {
    const missed: string[] = [];
    let noticed = 0;
    for (const mutant of mutants.filter(({ status }) => VALID.has(status))) {
      const original = textAt(source, mutant.location);
      const replacement = oneLine(mutant.replacement ?? '');
      const known = open.find(
        (each) =>
          each.file === file &&
          each.mutator === mutant.mutatorName &&
          each.original === original &&
          each.replacement === replacement,
      );
      if (known) {
        found.add(known);
        if (NOTICED.has(mutant.status))
          problems.push(`${file}: a test notices "${original}" → "${replacement}"; it is not equivalent`);
      } else if (NOTICED.has(mutant.status)) noticed += 1;
      else missed.push(`${mutant.location.start.line}: ${original} → ${replacement} (${mutant.mutatorName})`);
    }
    return { file, noticed, valid: noticed + missed.length, missed };
  });
  for (const each of open) {
    if (!found.has(each))
      problems.push(`${each.file}: the listed mutant "${each.original}" → "${each.replacement}" no longer exists`);
  }
  const valid = files.reduce((sum, file) => sum + file.valid, 0);
  const score = percent(
    files.reduce((sum, file) => sum + file.noticed, 0),
    valid,
  );
  if (score < part.scoreMin) problems.push(`${score} % is below the bar of ${part.scoreMin} %`);
  for (const { file, noticed, valid: all } of files) {
    if (percent(noticed, all) < FILE_SCORE_MIN)
      problems.push(`${file}: ${percent(noticed, all)} % is below ${FILE_SCORE_MIN} %`);
  }
  return { score, valid, equivalent: found.size, files, problems };
}

export function printTable(name: string, { files, score, problems }: PartScore): string {
  const rows = files
    .filter(({ valid }) => valid > 0)
    .map((file) => ({ ...file, score: percent(file.noticed, file.valid) }))
    .sort((left, right) => left.score - right.score);
  const lines = rows.flatMap(({ file, noticed, valid, score: own, missed }) => [
    `${own.toFixed(1).padStart(6)} %  ${`${noticed}/${valid}`.padStart(9)}  ${file}`,
    ...missed.map((text) => `              ${text}`),
  ]);
  return `${[`${name}: ${score} %`, ...lines, ...problems.map((problem) => `problem: ${problem}`)].join('\n')}\n`;
}

function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  // The end first: on a single line, cutting the start would move it.
  lines.push(lines.pop()!.slice(0, end.column - 1));
  lines[0] = lines[0]!.slice(start.column - 1);
  return oneLine(lines.join('\n'));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** One decimal, rounded down: a bar is not reached by rounding. */
function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.floor((part * 1_000) / whole) / 10;
}
