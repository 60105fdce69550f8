import type { Call } from '@hunter/contract/call';
import { z } from 'zod';
import type { SeededRandom } from '@hunter/domain/seeded-random';

// Requests made from the contract's own schemas: mostly of the right shape with a hostile value somewhere, some of no shape.

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
};

/** Real values of the running product, so that requests reach beyond the first check. */
export type KnownValues = {
  mints: readonly string[];
  slugs: readonly string[];
  ids: readonly string[];
  emails: readonly string[];
  passwords: readonly string[];
  codes: readonly string[];
};

export type HostileRequest = { method: 'GET' | 'POST'; path: string; body: string | null };

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

const hostileValues: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eevil',
  '\u200b',
  '１２３',
  "'; drop table users; --",
  '%00',
  '%',
  '\\',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=cmd|1!A1',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'true',
  'NaN',
  'Infinity',
  '-1',
  '-0',
  '0',
  '0.0000000001',
  '1e5',
  '0x10',
  '1_000',
  '99999999999999999999',
  '18446744073709551616',
  '1.0000000000000000001',
  '9007199254740993',
  '11111111111111111111111111111111',
  'So11111111111111111111111111111111111111112',
  '1'.repeat(44),
  'z'.repeat(44),
  'x'.repeat(5_000),
  '𝒳'.repeat(100),
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  0,
  -0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  2 ** 31,
  -(2 ** 63),
  8.64e15,
  true,
  false,
  null,
  [],
  {},
  [[]],
  ['a', 'b'],
  { toString: 1 },
  { $ne: null },
  nested(200),
];

const schemas = new WeakMap<Call, Schema>();

function schemaOf(definition: Call): Schema {
  let schema = schemas.get(definition);
  if (!schema) {
    schema = z.toJSONSchema(definition.request, { io: 'input', unrepresentable: 'any' }) as Schema;
    schemas.set(definition, schema);
  }
  return schema;
}

export function hostileRequest(definition: Call, known: KnownValues, random: SeededRandom): HostileRequest {
  const fields = fieldsFor(schemaOf(definition), known, random);
  if (definition.method === 'GET') {
    return { method: 'GET', path: definition.path + queryOf(fields, random), body: null };
  }
  return { method: 'POST', path: definition.path, body: bodyOf(fields, random) };
}

function fieldsFor(schema: Schema, known: KnownValues, random: SeededRandom): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  // One hostile value among good ones gets furthest; several at once mostly fail at the first.
  const badness = random.pick([0, 0.15, 0.15, 0.5]);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (random.chance(0.06)) continue;
    fields[name] = random.chance(badness) ? random.pick(hostileValues) : goodValue(name, property, known, random);
  }
  if (random.chance(0.05)) fields[random.pick(['extra', '__proto__', 't', 'userId', 'constructor', ''])] = 1;
  return fields;
}

function goodValue(name: string, schema: Schema, known: KnownValues, random: SeededRandom): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) return goodValue(name, random.pick(schema.anyOf), known, random);
  if (schema.type === 'boolean') return random.chance(0.5);
  if (schema.type === 'array') {
    return Array.from({ length: random.whole(4) }, () => goodValue(name, schema.items ?? {}, known, random));
  }
  if (schema.type === 'object') return fieldsFor(schema, known, random);
  if (schema.type === 'integer' || schema.type === 'number') return goodNumber(schema, random);
  return goodText(name, known, random);
}

function goodNumber({ minimum = 0, maximum = 1_000_000 }: Schema, random: SeededRandom): number {
  const low = Math.max(minimum, -1_000_000);
  const high = Math.min(maximum, 1_000_000);
  return random.pick([low, high, low + random.whole(Math.max(1, high - low + 1))]);
}

function goodText(name: string, known: KnownValues, random: SeededRandom): string {
  switch (name) {
    case 'tokenContractAddress':
      return random.pick(known.mints);
    case 'toWallet':
      return random.pick([...known.mints, '11111111111111111111111111111111']);
    case 'slug':
      return random.pick([...known.slugs, 'no-such-strategy']);
    case 'id':
    case 'bookId':
      return random.pick(known.ids);
    case 'email':
      return random.pick(known.emails);
    case 'password':
    case 'confirmPassword':
    case 'oldPassword':
      return random.pick(known.passwords);
    case 'verificationCode':
      return random.pick(known.codes);
    case 'inviteCode':
      return random.pick(['HUNTER', 'hunter', 'NOPE']);
    case 'weight':
      return random.pick(['10', '33.33', '100', '0', '0.01', '99.99']);
    case 'multiplier':
      return random.pick(['1', '0.5', '0', '999.99', '2.25']);
    case 'cursor':
      return random.pick(['1', '0', '999999999999999999', '1_2', 'AAAA', '2026-01-01', '1731600000000.5', '-1', '1:1']);
    case 'amount':
    case 'capital':
      return random.pick(['0.01', '0.000000001', '0.05', '1000', '99999999999999999999', '0.1']);
    case 'pageNo':
    case 'pageSize':
    case 'limit':
    case 'slippageBps':
    case 'before':
      return random.pick(['1', '2', '100', '1000', '100000', '9007199254740991', '50']);
    default:
      return random.pick(['a', 'moon', 'Quiet Frogs', 'é', '猎人', 'x'.repeat(40), 'trade', '%', '_']);
  }
}

function queryOf(fields: Record<string, unknown>, random: SeededRandom): string {
  const pairs = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    // What no encoder would write: broken escapes, twice the same name, brackets.
    if (random.chance(0.03)) return `${name}=${random.pick(['%', '%zz', '%00', '%ff', '%c0%80', '%ed%a0%80'])}`;
    if (random.chance(0.03)) return `${name}=1&${name}=2`;
    if (random.chance(0.02)) return `${name}[]=1`;
    return `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function bodyOf(fields: Record<string, unknown>, random: SeededRandom): string {
  const text = JSON.stringify(fields);
  if (!random.chance(0.06)) return text;
  return random.pick([
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '1',
    text.slice(0, -1),
    `${text}${text}`,
    text.replaceAll(',', ',,'),
    `{"__proto__":${text}}`,
    '['.repeat(20_000),
    `{"a":"${'x'.repeat(70_000)}"}`,
  ]);
}
