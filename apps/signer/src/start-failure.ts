const DEFECTS = [TypeError, RangeError, ReferenceError];

/** Until the returned function is called, what ends this process is one line and code 1: an operator reads it who typed something wrong. */
export function endPlainly(): () => void {
  const end = (error: Error & { code?: unknown }): void => {
    const isDefect = error.code === undefined && DEFECTS.some((kind) => error instanceof kind);
    process.stderr.write(`${isDefect ? error.stack : error.message}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', end);
  return () => void process.off('uncaughtException', end);
}
