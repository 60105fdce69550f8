import type { z } from 'zod';
import { AppError } from './app-error.ts';
import type { InputReason } from './error-catalogue.ts';

/** Parses a request once, at the edge. `t` is accepted everywhere and carries no meaning. */
export function parseInput<Schema extends z.ZodObject>(schema: Schema, input: unknown): z.output<Schema> {
  if (input !== undefined && input !== null && (typeof input !== 'object' || Array.isArray(input))) {
    throw new AppError('INVALID_INPUT', { field: 'body', reason: 'type' });
  }
  const { t: _t, ...fields } = (input ?? {}) as Record<string, unknown>;
  const unstorable = pathOfNul(fields);
  if (unstorable !== null) throw new AppError('INVALID_INPUT', { field: unstorable, reason: 'format' });
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (!issue) throw new AppError('INVALID_INPUT', { field: 'body', reason: 'type' });
  throw new AppError('INVALID_INPUT', describeIssue(issue, fields));
}

/** No call nests deeper than this; what does is refused by its shape. */
const DEPTH_MAX = 8;

/** No text may hold the character NUL: databases cannot store it and nobody types it. Null where there is none. */
function pathOfNul(value: unknown, path: readonly string[] = []): string | null {
  if (typeof value === 'string') return value.includes('\0') ? nameOf([...path]) : null;
  if (typeof value !== 'object' || value === null || path.length >= DEPTH_MAX) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = key.includes('\0') ? nameOf([...path]) : pathOfNul(inner, [...path, key.slice(0, 60)]);
    if (found !== null) return found;
  }
  return null;
}

function describeIssue(issue: z.core.$ZodIssue, fields: unknown): { field: string; reason: InputReason } {
  const path = issue.path.map(String);
  switch (issue.code) {
    case 'unrecognized_keys':
      // The key is the caller's own text: cut, so that an error stays short.
      return { field: [...path, (issue.keys[0] ?? '').slice(0, 60)].join('.'), reason: 'unknown' };
    case 'invalid_type':
      return { field: nameOf(path), reason: isMissing(fields, issue.path) ? 'required' : 'type' };
    case 'too_small':
    case 'too_big':
      if (issue.origin === 'string' || issue.origin === 'array') {
        return { field: nameOf(path), reason: isEmptyText(fields, issue.path) ? 'required' : 'length' };
      }
      return { field: nameOf(path), reason: 'range' };
    case 'invalid_format':
      return { field: nameOf(path), reason: isEmptyText(fields, issue.path) ? 'required' : 'format' };
    case 'invalid_value':
    case 'invalid_union':
      return { field: nameOf(path), reason: isMissing(fields, issue.path) ? 'required' : 'choice' };
    case 'custom': {
      const reason = issue.params?.['reason'];
      return { field: nameOf(path), reason: reason === 'range' || reason === 'length' ? reason : 'format' };
    }
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      break;
  }
  return { field: nameOf(path), reason: 'format' };
}

function nameOf(path: string[]): string {
  return path.length === 0 ? 'body' : path.join('.');
}

function valueAt(fields: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], fields);
}

function isMissing(fields: unknown, path: readonly PropertyKey[]): boolean {
  const value = valueAt(fields, path);
  return value === undefined || value === null;
}

function isEmptyText(fields: unknown, path: readonly PropertyKey[]): boolean {
  const value = valueAt(fields, path);
  return typeof value === 'string' && value.trim() === '';
}
