// Traces are off unless TRACES_URL names the operator's own collector, and cost one comparison then: what makes, keeps and sends
// spans is in `tracer.ts`, which is loaded only when they are on.

export type SpanName = 'call' | 'command' | 'signer';

/** All that a span may say; `tracer.ts` refuses everything else, and texts that are not short words. */
export const SPAN_ATTRIBUTES = ['call', 'method', 'failure'] as const;
export type SpanAttributes = Readonly<Partial<Record<(typeof SPAN_ATTRIBUTES)[number], string>>>;

/** Where a span belongs: hexadecimal, as W3C has it. Without `spanId` it is the first of its trace. */
export type TraceContext = { readonly traceId: string; readonly spanId?: string };

export interface Tracer {
  /** Runs the work in a span below `parent`, or below the span that is running. */
  run<T>(name: SpanName, attributes: SpanAttributes, work: () => Promise<T>, parent?: TraceContext): Promise<T>;
  /** A span that is over, below the one that is running. */
  ended(name: SpanName, attributes: SpanAttributes, durationMs: number): void;
  /** The span that is running, for another process. */
  context(): TraceContext | undefined;
}

let tracer: Tracer | null = null;

export function useTracer(made: Tracer | null): void {
  tracer = made;
}

export function traced<T>(
  name: SpanName,
  attributes: SpanAttributes,
  work: () => Promise<T>,
  parent?: TraceContext,
): Promise<T> {
  return tracer === null ? work() : tracer.run(name, attributes, work, parent);
}

export function traceContext(): TraceContext | undefined {
  return tracer?.context();
}
