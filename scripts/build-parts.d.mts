export function buildStamp(project: string, folders: readonly string[]): string;
export function ensureBuilt(): void;
