import { describe, expect, it, vi } from 'vitest';
import { ApiFailure } from './api-failure.ts';
import type { Language } from './api-failure.ts';
import { buildRequest } from './build-request.ts';
import { createHttpClient, REQUEST_TIMEOUT_MS } from './http-client.ts';

function aClient(answer: Response | Error | ((init: RequestInit) => Promise<Response>), language: Language = 'zh') {
  const requests: { url: string; init: RequestInit }[] = [];
  const toasts: string[] = [];
  const unauthorized: (string | null)[] = [];
  const client = createHttpClient({
    fetch: async (url, init) => {
      requests.push({ url, init });
      if (typeof answer === 'function') return answer(init);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    nowMs: () => 1_700_000_000_000,
    token: () => 'secret',
    language: () => language,
    showError: (text) => toasts.push(text),
    onUnauthorized: (token) => unauthorized.push(token),
  });
  return { client, requests, toasts, unauthorized };
}

const envelope = (code: number, msg = '', data: unknown = null, status = 200) =>
  new Response(JSON.stringify({ code, msg, data }), { status });

describe('a request', () => {
  it('carries the timestamp in the query of a GET and the token in a header', () => {
    const { url, init } = buildRequest('GET', '/api/x', { keyword: 'a b', none: undefined, n: 1 }, 7, 'secret');
    expect(url).toBe('/api/x?keyword=a+b&n=1&t=7');
    expect(init.headers).toEqual({ 'content-type': 'application/json', token: 'secret' });
    expect(init.body).toBeUndefined();
  });

  it('carries the timestamp as a body field of a POST', () => {
    const { url, init } = buildRequest('POST', '/api/x', { email: 'a@b.c' }, 7, null);
    expect(url).toBe('/api/x');
    expect(JSON.parse(init.body as string)).toEqual({ email: 'a@b.c', t: 7 });
    expect(init.headers).toEqual({ 'content-type': 'application/json' });
  });

  it('gives up after 15 seconds', () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const { client } = aClient(envelope(200));
    void client.request('GET', '/api/x');
    expect(REQUEST_TIMEOUT_MS).toBe(15_000);
    expect(timeout).toHaveBeenCalledWith(15_000);
    timeout.mockRestore();
  });
});

describe('an answer', () => {
  it('returns the data of an envelope with code 200', async () => {
    const { client, toasts } = aClient(envelope(200, '', { lists: [1] }));
    expect(await client.request('GET', '/api/x')).toEqual({ lists: [1] });
    expect(toasts).toEqual([]);
  });

  it.each<[string, Response | Error, Language, string]>([
    ['envelope 403', envelope(403), 'zh', '没有权限访问'],
    ['envelope 403 in English', envelope(403), 'en', 'No permission'],
    ['envelope 404', envelope(404), 'zh', '请求的资源不存在'],
    ['an unknown envelope code with a message', envelope(4711, 'Out of cheese'), 'zh', 'Out of cheese'],
    ['an unknown envelope code without one', envelope(4711), 'zh', '请求失败'],
    ['a known envelope code', envelope(1200, 'Insufficient balance'), 'zh', '余额不足'],
    ['a known code with context', envelope(1102, '', { retryAfterSeconds: 42 }), 'en', 'Please retry in 42 seconds'],
    ['a known code whose context is missing', envelope(1102, 'Wait'), 'en', 'Wait'],
    ['a refused field', envelope(1000, '', { field: 'email', reason: 'format' }), 'zh', '邮箱：格式不正确'],
    [
      'a refused part of a field',
      envelope(1000, '', { field: 'coins.0.weight', reason: 'range' }),
      'en',
      'Coins: is out of range',
    ],
    [
      'a refused field within another',
      envelope(1000, '', { field: 'triggers.0.protect.stopLoss.value', reason: 'range' }),
      'zh',
      '止损：超出范围',
    ],
    [
      'a refused field that no form shows',
      envelope(1000, '', { field: 'cursor', reason: 'type' }),
      'zh',
      '某个字段：类型不正确',
    ],
    ['HTTP 403', new Response('', { status: 403 }), 'zh', '没有权限访问'],
    ['HTTP 404', new Response('<html>', { status: 404 }), 'zh', '请求的资源不存在'],
    ['HTTP 500', new Response('', { status: 500 }), 'zh', '服务器错误'],
    ['another HTTP status', new Response('', { status: 502 }), 'zh', '网络错误'],
    ['another HTTP status in English', new Response('', { status: 502 }), 'en', 'Network error'],
    ['no response', new TypeError('Failed to fetch'), 'zh', '网络连接失败'],
    ['an HTTP error that carries an envelope', envelope(403, '', null, 500), 'zh', '没有权限访问'],
  ])('says what went wrong: %s', async (_, answer, language, text) => {
    const { client, toasts, unauthorized } = aClient(answer, language);
    await expect(client.request('GET', '/api/x')).rejects.toBeInstanceOf(ApiFailure);
    expect(toasts).toEqual([text]);
    expect(unauthorized).toEqual([]);
  });

  it.each([
    ['envelope 401', envelope(401)],
    ['HTTP 401', new Response('', { status: 401 })],
    ['HTTP 401 with its envelope', envelope(401, '', null, 401)],
  ])('ends the session: %s', async (_, answer) => {
    const { client, toasts, unauthorized } = aClient(answer);
    await expect(client.request('GET', '/api/x')).rejects.toBeInstanceOf(ApiFailure);
    expect(unauthorized).toEqual(['secret']);
    expect(toasts).toEqual([]);
  });

  it('reports a request that cannot be built as a setup failure', async () => {
    const { client, toasts, requests } = aClient(envelope(200));
    await expect(client.request('POST', '/api/x', { amount: 1n })).rejects.toMatchObject({ reason: { kind: 'setup' } });
    expect(toasts).toEqual(['请求配置错误']);
    expect(requests).toEqual([]);
  });

  it.each([envelope(401), envelope(403), new Response('', { status: 500 }), new TypeError('offline')])(
    'only rejects when the caller handles errors itself (%#)',
    async (answer) => {
      const { client, toasts, unauthorized } = aClient(answer);
      await expect(client.request('GET', '/api/x', {}, { skipErrorHandling: true })).rejects.toBeInstanceOf(ApiFailure);
      expect(toasts).toEqual([]);
      expect(unauthorized).toEqual([]);
    },
  );

  it('shows nothing where the caller shows the failure itself, but leaves a session that has ended', async () => {
    const failing = aClient(envelope(403));
    await expect(failing.client.request('GET', '/api/x', {}, { quiet: true })).rejects.toBeInstanceOf(ApiFailure);
    expect([failing.toasts, failing.unauthorized]).toEqual([[], []]);
    const ended = aClient(envelope(401));
    await expect(ended.client.request('GET', '/api/x', {}, { quiet: true })).rejects.toBeInstanceOf(ApiFailure);
    expect([ended.toasts, ended.unauthorized]).toEqual([[], ['secret']]);
  });

  it('stays silent when the caller itself gave up', async () => {
    const controller = new AbortController();
    const { client, toasts } = aClient(
      (init) =>
        new Promise((_, reject) => {
          init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        }),
    );
    const pending = client.request('GET', '/api/x', {}, { signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ reason: { kind: 'aborted' } });
    expect(toasts).toEqual([]);
  });
});

describe('a refusal', () => {
  it('is known by its name in the catalogue', () => {
    const failure = new ApiFailure({ kind: 'envelope', code: 1103, msg: '', data: null });
    expect(failure.refusal).toBe('WRONG_INVITE');
    expect(new ApiFailure({ kind: 'no-response' }).refusal).toBeNull();
  });
});
