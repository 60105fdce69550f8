import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFiles } from './project-files.ts';

const projectPath = /(?<![\w/.@-])((?:apps|packages|deploy|docs|scripts|e2e|bench|proofs|ops|\.ci)\/[\w./*@-]*)/g;
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
    // A build makes it, and a fresh clone has none.
    if (/\/dist(\/|$)/.test(clean)) continue;
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

function scriptsOf(manifest: string): string[] {
  const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as { scripts?: Record<string, string> };
  return Object.keys(scripts ?? {});
}

/** The root's scripts, and those of the workspace that the document belongs to. */
function scriptsFor(project: string, file: string): Set<string> {
  const found = new Set(scriptsOf(join(project, 'package.json')));
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) {
    const manifest = join(project, folder, 'package.json');
    if (existsSync(manifest)) for (const name of scriptsOf(manifest)) found.add(name);
  }
  return found;
}

export function checkDocs(project: string): string[] {
  const exists = (path: string): boolean =>
    path.includes('*') ? globSync(path, { cwd: project }).length > 0 : existsSync(join(project, path));
  return projectFiles(project)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const text = readFileSync(join(project, file), 'utf8');
      return staleMentions({ file, text }, scriptsFor(project, file), exists);
    });
}
