import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from './project-files.ts';

type Rule = { readonly pattern: RegExp; readonly complaint: string; readonly applies?: (file: string) => boolean };

const isSource = (file: string): boolean => /\.(ts|tsx|mjs)$/.test(file);
const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file);
const isMoney = (file: string): boolean =>
  /^(apps\/(server|signer)|packages\/(domain|contract))\/src\//.test(file) && !isTest(file);

const rules: readonly Rule[] = [
  { pattern: /(?<![\w.~@-])\/(?:work|root|home\/\w+|Users\/\w+|tmp)\//, complaint: 'names a path of one machine' },
  {
    pattern: /\bhttps?:\/\/(?:registry\.|npm\.|[\w.-]*(?:artifactory|verdaccio|npmmirror))/,
    complaint: 'names a package registry',
  },
  {
    pattern: /"resolved": "(?:https?|git)/,
    complaint: 'carries a download address',
    applies: (file) => file.endsWith('package-lock.json'),
  },
  { pattern: /\b(?:TO[D]O|FIX[M]E|XX[X])\b/, complaint: 'leaves work behind', applies: isSource },
  { pattern: /\b(?:it|test|describe)\.(?:only|skip|todo)\(/, complaint: 'leaves tests out', applies: isTest },
  { pattern: /\bparse[F]loat\(/, complaint: 'uses a float where money is exact', applies: isMoney },
];

/** The lines of a file that break a rule. */
export function textFaults(file: string, text: string): string[] {
  const applying = rules.filter(({ applies }) => applies?.(file) ?? true);
  return text
    .split('\n')
    .flatMap((line, index) =>
      applying.filter(({ pattern }) => pattern.test(line)).map(({ complaint }) => `${file}:${index + 1} ${complaint}`),
    );
}

const textFile = /(\.(ts|tsx|mjs|js|json|md|sql|css|html|svg|yml|yaml|txt|sh)|\/run|\.npmrc|\.gitignore)$/;

export function checkText(project: string): string[] {
  return projectFiles(project)
    .filter((file) => textFile.test(file))
    .flatMap((file) => textFaults(file, readFileSync(join(project, file), 'utf8')));
}
