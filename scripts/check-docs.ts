import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFiles } from './project-files.ts';

const projectPath = /(?<![\w/.@-])((?:apps|packages|docs|scripts|e2e|bench|\.ci)\/[\w./*@-]*)/g;
const npmCommand = /\bnpm (?:run ([\w:-]+)|(start|test)\b)/g;
const link = /\]\(([^)\s]+)\)/g;

export type Document = { readonly file: string; readonly text: string };

/** What a document names that does not exist. `exists` takes paths relative to the project's root. */
export function staleMentions(
  { file, text }: Document,
  scripts: ReadonlySet<string>,
  exists: (path: string) => boolean,
): string[] {
  const complaints: string[] = [];
  for (const [, path = ''] of text.matchAll(projectPath)) {
    const clean = path.replace(/[.,]+$/, '');
    // NNNN and NAME stand for something the reader fills in.
    if (/NNNN|NAME/.test(clean)) continue;
    if (!exists(clean)) complaints.push(`${file}: ${clean} does not exist`);
  }
  for (const [, run, own] of text.matchAll(npmCommand)) {
    const script = run ?? own ?? '';
    if (!scripts.has(script)) complaints.push(`${file}: there is no npm script "${script}"`);
  }
  for (const [, target = ''] of text.matchAll(link)) {
    if (/^(\w+:|#|\/)/.test(target)) continue;
    const path = join(dirname(file), target.replace(/[?#].*$/, ''));
    if (!exists(path)) complaints.push(`${file}: the link ${target} leads nowhere`);
  }
  return [...new Set(complaints)];
}

export function checkDocs(project: string): string[] {
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    scripts?: Record<string, string>;
  };
  const scripts = new Set(Object.keys(manifest.scripts ?? {}));
  const exists = (path: string): boolean =>
    path.includes('*') ? globSync(path, { cwd: project }).length > 0 : existsSync(join(project, path));
  return projectFiles(project)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => staleMentions({ file, text: readFileSync(join(project, file), 'utf8') }, scripts, exists));
}
