import { z } from 'zod';
import { calls, type CallName } from './calls.ts';
import { keyScopes } from './key-scopes.ts';
import { errorCatalogue } from './error-catalogue.ts';
import type { Call } from './call.ts';

/** OpenAPI 3.1 of all calls, generated from the schemas that parse them. */
export function openApiDocument(options: { local: boolean }): unknown {
  const paths: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(calls) as [CallName, Call][]) {
    if (definition.localOnly && !options.local) continue;
    paths[definition.path] = { [definition.method.toLowerCase()]: operation(name, definition) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hunter API',
      version: '1',
      description:
        'Every answer is an envelope { code, msg, data }; success is code 200. Money is exact decimal text. Every call accepts a timestamp field t.',
    },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token', description: 'A session, as login answers it.' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key made in Account → Security → API keys: `Authorization: Bearer hk_…`. `x-api-key` of a call says what it needs; a key that may trade also reads. No key withdraws, exports or changes how the account is secured.',
        },
      },
    },
    'x-errors': Object.entries(errorCatalogue).map(([name, entry]) => ({ name, ...entry })),
  };
}

function securityOf(name: CallName): object[] {
  return [{ token: [] }, ...(keyScopes[name] === 'session' ? [] : [{ apiKey: [] }])];
}

function operation(name: CallName, definition: Call): unknown {
  const request = schemaOf(definition.request, 'input');
  const data = schemaOf(definition.reply, 'output');
  return {
    operationId: name,
    summary: definition.about,
    ...(definition.access === 'user' ? { security: securityOf(name) } : {}),
    'x-api-key': keyScopes[name],
    ...(definition.method === 'GET'
      ? { parameters: queryParameters(request) }
      : { requestBody: { required: true, content: { 'application/json': { schema: request } } } }),
    ...(definition.effect === 'money' ? { 'x-idempotency-key': 'optional Idempotency-Key header' } : {}),
    responses: {
      200: {
        description: 'The envelope; a business refusal has another code than 200 and data that names it.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['code', 'msg', 'data'],
              properties: { code: { type: 'integer' }, msg: { type: 'string' }, data },
            },
          },
        },
      },
    },
  };
}

type JsonSchema = { properties?: Record<string, unknown>; required?: string[] } & Record<string, unknown>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Zod leaves defaults of what is read from text out.
    override: ({ zodSchema: { _zod: field }, jsonSchema }) => {
      if (field.def.type === 'default') jsonSchema.default = field.def.defaultValue;
    },
  }) as JsonSchema;
  return rest;
}

function queryParameters(schema: JsonSchema): unknown[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema: property,
  }));
}
