import { useEffect, useRef, useState } from 'react';
import type { Progress } from '@hunter/verify/verify-strategy';
import type { Answer, Failure, Question } from './messages.ts';

export type Run<Result> =
  | { state: 'idle' }
  | { state: 'running'; progress: Progress | null }
  | { state: 'failed'; failure: Failure }
  | { state: 'done'; result: Result };

type Ask = Question extends infer Each ? (Each extends Question ? Omit<Each, 'web'> : never) : never;

/** The worker's code stands in the document: a page without an origin can load no file. */
function startWorker(): Worker {
  const code = document.getElementById('worker')!.textContent;
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}

/** One question at a time; a new one ends the one before. */
export function useVerifier<Result extends Answer>(): {
  run: Run<Result>;
  start: (ask: Ask) => void;
  stop: () => void;
} {
  const [run, setRun] = useState<Run<Result>>({ state: 'idle' });
  const worker = useRef<Worker | null>(null);
  const end = (): void => {
    worker.current?.terminate();
    worker.current = null;
  };
  useEffect(() => () => worker.current?.terminate(), []);

  const start = (ask: Ask): void => {
    end();
    setRun({ state: 'running', progress: null });
    const fail = (detail: string): void =>
      setRun({ state: 'failed', failure: { kind: 'failed', where: 'page', detail } });
    try {
      const started = startWorker();
      worker.current = started;
      started.onerror = (event) => fail(event.message);
      started.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.kind === 'progress') return setRun({ state: 'running', progress: data.progress });
        end();
        if (data.kind === 'failed') setRun({ state: 'failed', failure: data });
        else setRun({ state: 'done', result: data as Result });
      };
      started.postMessage({ ...ask, web: location.origin } satisfies Question, []);
    } catch (error) {
      fail(String(error));
    }
  };
  const stop = (): void => {
    end();
    setRun({ state: 'idle' });
  };
  return { run, start, stop };
}
