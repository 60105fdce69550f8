import type { z } from 'zod';

/**
 * `open`: anyone. `user`: needs a session. `localOnly` calls answer 404 in production mode.
 * `effect: 'money'` marks calls that move money: they take an Idempotency-Key.
 */
export type Call<Request extends z.ZodObject = z.ZodObject, Reply extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST';
  path: string;
  access: 'open' | 'user';
  localOnly?: true;
  effect: 'read' | 'write' | 'money';
  /** One sentence for the API page. */
  about: string;
  request: Request;
  reply: Reply;
};

export function call<Request extends z.ZodObject, Reply extends z.ZodType>(
  definition: Call<Request, Reply>,
): Call<Request, Reply> {
  return definition;
}

/** What a client sends. */
export type RequestOf<C extends Call> = z.input<C['request']>;
/** What a use case receives: parsed, with money as integers. */
export type ParsedRequestOf<C extends Call> = z.output<C['request']>;
export type ReplyOf<C extends Call> = z.output<C['reply']>;
