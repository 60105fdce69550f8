/**
 * `command` says which program of `node_modules` builds the part, with its arguments; `hashed` is the folder of files that are called by
 * their content.
 */
type Part = {
  readonly name: string;
  readonly says: string;
  readonly inputs: readonly string[];
  readonly result: string;
  readonly hashed?: string;
  readonly command: (outDir: string) => readonly string[];
};
export const parts: readonly Part[];
export function buildStamp(project: string, inputs: readonly string[]): string;
export function ensureBuilt(project?: string, wanted?: readonly Part[]): void;
