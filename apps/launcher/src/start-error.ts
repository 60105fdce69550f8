/** A reason not to start that the person who typed the command can act on: printed line by line, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The text of whatever was thrown; system errors keep their code (`EACCES: permission denied, …`). */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
