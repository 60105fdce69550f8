import { installGlobalPlugin, PreconditionFailure, type Plugin } from 'fast-check';

/** A smaller counterexample is not worth more, and a test that ran into its own limit would not tell of any. */
const SHRINKING_MAX_MS = 60_000;

/**
 * A property that has failed looks for a smaller counterexample for so long, and then tells of the smallest it has found. One that holds
 * runs to its end, however long that takes.
 */
export function limitShrinking(nowMs: () => number): Plugin<unknown> {
  return () => {
    let failedAtMs: number | null = null;
    const noted = <Result>(result: Result): Result => {
      if (result !== null && !PreconditionFailure.isFailure(result)) failedAtMs ??= nowMs();
      return result;
    };
    return {
      decorateRun: (run) => (value) => {
        if (failedAtMs !== null && nowMs() - failedAtMs >= SHRINKING_MAX_MS) return new PreconditionFailure(true);
        const result = run(value);
        return result instanceof Promise ? result.then(noted) : noted(result);
      },
    };
  };
}

// Before any test gives itself a clock that stands still.
installGlobalPlugin(limitShrinking(performance.now.bind(performance)));
