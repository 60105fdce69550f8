import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variables as launcherVariables } from '../apps/launcher/src/configuration.ts';
import { environment as serverEnvironment } from '../apps/server/src/config.ts';
import { variables as signerVariables } from '../apps/signer/src/config.ts';

/** `default` and `meaning` as they stand in the table; undefined where the part leaves them to another. */
export type Variable = { readonly name: string; readonly default?: string; readonly meaning?: string | undefined };

const DOCUMENT = 'docs/operations.md';
const COMMAND = 'npm run docs:environment';
const BEGIN = `<!-- written by ${COMMAND} -->`;
const END = '<!-- end -->';

/** In the order in which an operator needs them: the product's own first, then what the server and the signer add. */
function allVariables(): Variable[] {
  const stated = (part: Readonly<Record<string, { default: string; meaning: string }>>): Variable[] =>
    Object.entries(part).map(([name, facts]) => ({ name, ...facts }));
  const server = Object.entries(serverEnvironment.shape).map(([name, schema]) => {
    const parsed = schema.safeParse(undefined);
    const value = parsed.success ? parsed.data : undefined;
    return { name, default: value === undefined ? 'none' : `\`${String(value)}\``, meaning: schema.description };
  });
  return [...stated(launcherVariables), ...server, ...stated(signerVariables)];
}

/** One row per variable, and a complaint where nobody or more than one part says what it means. */
export function environmentTable(variables: readonly Variable[]): { table: string; complaints: string[] } {
  const names = [...new Set(variables.map(({ name }) => name))];
  const complaints: string[] = [];
  const rows = names.map((name) => {
    const described = variables.filter((variable) => variable.name === name && variable.meaning !== undefined);
    if (described.length !== 1) complaints.push(`${name} is described ${described.length} times`);
    return `| \`${name}\` | ${described[0]?.default ?? ''} | ${described[0]?.meaning ?? ''} |`;
  });
  return { table: ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n'), complaints };
}

/** The document with the table between its marks. */
export function withTable(document: string, table: string): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`${DOCUMENT} has no place for the environment table`);
  return `${document.slice(0, from)}${BEGIN}\n\n${table}\n\n${document.slice(to)}`;
}

export function writeEnvironmentTable(project: string): void {
  const file = join(project, DOCUMENT);
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), environmentTable(allVariables()).table));
}

export function checkEnvironmentTable(project: string): string[] {
  const { table, complaints } = environmentTable(allVariables());
  const document = readFileSync(join(project, DOCUMENT), 'utf8');
  // The formatter pads the columns.
  const plain = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
  if (plain(withTable(document, table)) !== plain(document)) {
    complaints.push(`${DOCUMENT}: the environment table is not what the schemas say; run ${COMMAND}`);
  }
  return complaints;
}
