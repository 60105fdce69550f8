// One JSON-RPC 2.0 request in, one response text out.

import type { LedgerChain } from '../chain/ledger-chain.ts';
import { METHODS } from './methods.ts';
import { internalError, invalidRequest, methodNotFound, parseError, RpcError } from './rpc-error.ts';

type RequestId = string | number | null;
export type Request = { id: RequestId; method: string; params: unknown[]; isNotification: boolean };

const BATCH_REQUESTS_MAX = 1000;

/** Null for an object that is no request at all. */
export function readRequest(value: unknown): Request | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return null;
  const isNotification = !('id' in value);
  if (!isNotification && id !== null && typeof id !== 'string' && typeof id !== 'number') return null;
  const list = params === undefined || params === null ? [] : params;
  if (!Array.isArray(list)) return null;
  return { id: (id ?? null) as RequestId, method, params: list, isNotification };
}

export function idOf(value: unknown): RequestId {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

export function resultText(id: RequestId, result: unknown): string {
  return `{"jsonrpc":"2.0","result":${JSON.stringify(result ?? null)},"id":${JSON.stringify(id)}}`;
}

export function errorText(id: RequestId, error: RpcError): string {
  return `{"jsonrpc":"2.0","error":${JSON.stringify(error)},"id":${JSON.stringify(id)}}`;
}

export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  console.error('localnet: a call failed', error);
  return internalError();
}

/** Undefined for a notification, which gets no answer. */
async function answer(chain: LedgerChain, value: unknown): Promise<string | undefined> {
  const request = readRequest(value);
  if (request === null) return errorText(idOf(value), invalidRequest());
  const method = METHODS.get(request.method);
  if (request.isNotification) return undefined;
  if (method === undefined) return errorText(request.id, methodNotFound());
  try {
    return resultText(request.id, await method(chain, request.params));
  } catch (error) {
    return errorText(request.id, asRpcError(error));
  }
}

/** The empty text means that nothing is to be sent. */
export async function answerBody(chain: LedgerChain, body: string): Promise<string> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return errorText(null, parseError());
  }
  if (!Array.isArray(value)) return (await answer(chain, value)) ?? '';
  if (value.length === 0 || value.length > BATCH_REQUESTS_MAX) return errorText(null, invalidRequest());
  const answers = await Promise.all(value.map((entry) => answer(chain, entry)));
  const texts = answers.filter((text) => text !== undefined);
  return texts.length === 0 ? '' : `[${texts.join(',')}]`;
}
