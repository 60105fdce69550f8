export function buildStamp(project: string, inputs: readonly string[]): string;
export function ensureBuilt(): void;
