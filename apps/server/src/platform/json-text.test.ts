import { expect, it } from 'vitest';
import { JsonText } from './json-text.ts';

it('is the same value before and after it was sent, between whatever it is put', () => {
  const json = new JsonText<{ name: string }>('{"name":"金狗"}');
  expect(json.parse()).toEqual({ name: '金狗' });
  const bytes = json.between('{"data":', '}');
  expect(JSON.parse(bytes.toString())).toEqual({ data: { name: '金狗' } });
  expect(json.between('{"data":', '}')).toBe(bytes);
  expect(JSON.parse(json.between('["é",', ']').toString())).toEqual(['é', { name: '金狗' }]);
  expect(json.parse()).toEqual({ name: '金狗' });
});
