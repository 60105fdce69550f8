import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import { stopwatch, type Clock } from './clock.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import { SPAN_ATTRIBUTES, type SpanAttributes, type SpanName, type TraceContext, type Tracer } from './traces.ts';

// OpenTelemetry's protocol over HTTP in its JSON form, which every collector takes. It is a few lines: the official packages bring an
// instrumentation of everything that would have to be kept from saying what it sees.

const SEND_MS = 2_000;
const ANSWER_MS = 5_000;
/** What a collector that does not answer costs at most; later spans are dropped and counted. */
const SPANS_MAX = 4_096;
const WORD = /^[\w .:/-]{1,64}$/;
const INTERNAL_KIND = 1;
const ERROR_STATUS = 2;

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: SpanName;
  startMs: number;
  durationMs: number;
  attributes: SpanAttributes;
  failed: boolean;
};

type TracerDeps = {
  url: string;
  /** How many of a hundred traces are kept; all spans of a trace, in every process, or none. */
  percent: number;
  roles: readonly string[];
  clock: Clock;
  log: Log;
};

export class OtlpTracer implements Tracer {
  readonly #deps: TracerDeps;
  readonly #running = new AsyncLocalStorage<Required<TraceContext>>();
  readonly #loop: Loop;
  #spans: Span[] = [];
  #dropped = 0;

  constructor(deps: TracerDeps) {
    this.#deps = deps;
    const { clock, log } = deps;
    this.#loop = new Loop({ name: 'sending of traces', work: () => this.send(), everyMs: SEND_MS, clock, log });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.send().catch(() => {});
  }

  async run<T>(
    name: SpanName,
    attributes: SpanAttributes,
    work: () => Promise<T>,
    parent: TraceContext | undefined = this.#running.getStore(),
  ): Promise<T> {
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    if (!this.#isKept(traceId)) return work();
    const span = this.#begin(name, traceId, parent?.spanId);
    const elapsedMs = stopwatch();
    try {
      const result = await this.#running.run({ traceId, spanId: span.spanId }, work);
      this.#keep({ ...span, durationMs: elapsedMs(), attributes });
      return result;
    } catch (error) {
      const failure = error instanceof AppError ? error.errorName : 'INTERNAL';
      this.#keep({ ...span, durationMs: elapsedMs(), attributes: { ...attributes, failure }, failed: true });
      throw error;
    }
  }

  ended(name: SpanName, attributes: SpanAttributes, durationMs: number): void {
    const parent = this.#running.getStore();
    if (!parent) return;
    const span = this.#begin(name, parent.traceId, parent.spanId);
    const failed = attributes.failure !== undefined;
    this.#keep({ ...span, startMs: span.startMs - durationMs, durationMs, attributes, failed });
  }

  context(): TraceContext | undefined {
    return this.#running.getStore();
  }

  async send(): Promise<void> {
    if (this.#spans.length === 0) return;
    const spans = this.#spans;
    this.#spans = [];
    if (this.#dropped > 0) this.#deps.log.warn({ dropped: this.#dropped }, 'spans were dropped; the collector is slow');
    this.#dropped = 0;
    const reply = await fetch(this.#deps.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(this.#message(spans)),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await reply.body?.cancel();
    if (!reply.ok) throw new Error(`the collector of traces answered ${reply.status}`);
  }

  /** By the trace's own id, so that all processes choose the same ones. */
  #isKept(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-8), 16) / 2 ** 32 < this.#deps.percent / 100;
  }

  #begin(name: SpanName, traceId: string, parentSpanId: string | undefined): Span {
    return {
      traceId,
      spanId: randomBytes(8).toString('hex'),
      ...(parentSpanId === undefined ? {} : { parentSpanId }),
      name,
      startMs: this.#deps.clock.nowMs(),
      durationMs: 0,
      attributes: {},
      failed: false,
    };
  }

  #keep(span: Span): void {
    if (this.#spans.length < SPANS_MAX) this.#spans.push(span);
    else this.#dropped += 1;
  }

  #message(spans: readonly Span[]): unknown {
    const resource = { attributes: [text('service.name', 'hunter'), text('hunter.role', this.#deps.roles.join(','))] };
    return {
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'hunter' }, spans: spans.map(onTheWire) }] }],
    };
  }
}

function onTheWire({ startMs, durationMs, attributes, failed, ...span }: Span): unknown {
  const allowed = SPAN_ATTRIBUTES.flatMap((name) => {
    const value = attributes[name];
    return value !== undefined && WORD.test(value) ? [text(`hunter.${name}`, value)] : [];
  });
  return {
    ...span,
    kind: INTERNAL_KIND,
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(startMs + durationMs),
    attributes: allowed,
    status: failed ? { code: ERROR_STATUS } : {},
  };
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

function text(key: string, stringValue: string): unknown {
  return { key, value: { stringValue } };
}
