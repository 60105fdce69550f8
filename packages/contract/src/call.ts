import type { z } from 'zod';

export type Access = 'open' | 'user';

/**
 * `open`: anyone. `user`: needs a session. `localOnly` calls answer 404 in production mode.
 * `effect: 'money'` marks calls that move money: they take an Idempotency-Key.
 */
export type Call<
  Request extends z.ZodObject = z.ZodObject,
  Reply extends z.ZodType = z.ZodType,
  Needs extends Access = Access,
> = {
  method: 'GET' | 'POST';
  path: string;
  access: Needs;
  localOnly?: true;
  effect: 'read' | 'write' | 'money';
  /** One sentence for the API page. */
  about: string;
  request: Request;
  reply: Reply;
};

/** Keeps the access as a literal, so that a handler of a user call knows that it has a session. */
export function call<Request extends z.ZodObject, Reply extends z.ZodType, const Needs extends Access>(
  definition: Call<Request, Reply, Needs>,
): Call<Request, Reply, Needs> {
  return definition;
}

/** What a client sends. */
export type RequestOf<C extends Call> = z.input<C['request']>;
/** What a use case receives: parsed, with money as integers. */
export type ParsedRequestOf<C extends Call> = z.output<C['request']>;
export type ReplyOf<C extends Call> = z.output<C['reply']>;
