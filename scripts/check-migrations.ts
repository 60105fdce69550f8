import { projectFiles } from './project-files.ts';

/** Two branches that each took the next number would otherwise only fail when the server starts. */
export function duplicateMigrations(files: readonly string[]): string[] {
  const byNumber = Map.groupBy(
    files.filter((file) => /^apps\/server\/migrations\/\d{4}-/.test(file)),
    (file) => file.split('/').at(-1)!.slice(0, 4),
  );
  return [...byNumber].filter(([, same]) => same.length > 1).map(([, same]) => `the same number: ${same.join(', ')}`);
}

export const checkMigrations = (project: string): string[] => duplicateMigrations(projectFiles(project));
