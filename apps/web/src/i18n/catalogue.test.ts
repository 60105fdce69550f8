// The catalogues hold each other and the sources: same keys and places in both languages, no key without a use, and no
// text written into a component.
import { errorCatalogue, refusalReasons } from '@hunter/contract/error-catalogue';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { isPlural } from './messages.ts';
import type { Messages } from './messages.ts';

const catalogues = import.meta.glob<Messages>('./{en,zh}/*.ts', { eager: true, import: 'default' });
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*test.{ts,tsx}', '!./{en,zh}/*.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
});
const sourceText = Object.values(sources).join('\n');

/** Every text by `area.path`; the plural forms of one text are one. */
function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (entry: Messages[string], path: string): void => {
    if (typeof entry === 'string') texts.set(path, entry);
    else if (isPlural(entry)) texts.set(path, entry.other);
    else for (const [key, child] of Object.entries(entry)) walk(child, `${path}.${key}`);
  };
  for (const [file, messages] of Object.entries(catalogues)) {
    const [, fileLanguage, area] = /^\.\/(\w+)\/([\w-]+)\.ts$/.exec(file) ?? [];
    if (fileLanguage === language && area) walk(messages, area);
  }
  return texts;
}

const en = textsOf('en');
const zh = textsOf('zh');

describe('the catalogues', () => {
  it('have the same keys in both languages', () => {
    expect([...zh.keys()].sort()).toEqual([...en.keys()].sort());
  });

  it('have the same places in both languages', () => {
    const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
    const different = [...en].filter(([key, text]) => String(places(text)) !== String(places(zh.get(key) ?? '')));
    expect(different).toEqual([]);
  });

  it('hold no empty text', () => {
    expect([...en, ...zh].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('hold no Chinese text that is still English', () => {
    // Names and units that are the same in both languages.
    const shared = /^(Hunter|Telegram|Dev( · %)?|Solana|SOL|USD|English|MACD|KDJ|\d+h|you@example\.com|[^\p{L}]*)$/u;
    const words = (text: string) => text.replace(/\{\w+\}/g, '').trim();
    const left = [...zh].filter(([, text]) => !/\p{Script=Han}/u.test(text) && !shared.test(words(text)));
    expect(left).toEqual([]);
  });

  it('use one spelling and one term for each thing', () => {
    // Words of the code, of other dialects and of other terms for the same thing; see the glossary.
    const english = /\b(books?|venue|in kind|signer|lane|cancell\w*|\w*realised|equalise|e-mail|really|honest)\b|\d %/i;
    const chinese = /跟随|账本|创建者|资金池|回执|归零|开发者/;
    expect([...en].filter(([, text]) => english.test(text.replace(/\{\w+\}/g, '')))).toEqual([]);
    expect([...zh].filter(([, text]) => chinese.test(text))).toEqual([]);
    const refusals = [...Object.values(errorCatalogue), ...Object.values(refusalReasons)];
    expect(refusals.filter((refusal) => english.test(refusal.en) || chinese.test(refusal.zh))).toEqual([]);
  });

  it('set a space between Chinese and Latin letters, digits and figures', () => {
    // Names of fields and columns are Chinese themselves.
    const figures = /\{(?!field|column|level|mode|text|book)\w+\}/g;
    const touching = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u;
    const texts = [...zh].map(([key, text]) => [key, text.replace(figures, '0')] as const);
    expect(texts.filter(([, text]) => touching.test(text))).toEqual([]);
  });

  it('hold no text that nothing uses', () => {
    // A key may be built from its group, as in t(`auth.strength.${level}`); then the group must stand in the source.
    const unused = [...en.keys()].filter((key) => {
      if (sourceText.includes(`'${key}'`)) return false;
      const parts = key.split('.');
      return !parts.some((_, at) => at > 0 && sourceText.includes(`\`${parts.slice(0, at).join('.')}.\${`));
    });
    expect(unused).toEqual([]);
  });
});

type Node = { type: string; value?: unknown; name?: { name?: unknown }; start: number };

function visit(node: unknown, seen: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, seen);
  } else if (typeof node === 'object' && node !== null) {
    if (typeof (node as Node).type === 'string') seen(node as Node);
    for (const child of Object.values(node)) visit(child, seen);
  }
}

const spoken = new Set(['title', 'placeholder', 'alt', 'label', 'aria-label', 'text', 'description', 'header', 'hint']);
/** Not words of a language: the product's name, symbols, units, the number of an error page. */
const ignored = /^(Hunter|SOL|USD|404|%|\/|·|→|≈|[^\p{L}]*)$/u;

describe('components', () => {
  it('write no text themselves', () => {
    const found: string[] = [];
    for (const [path, source] of Object.entries(sources)) {
      if (!path.endsWith('.tsx')) continue;
      const program = parseAst(source, { lang: 'tsx' }, path);
      visit(program, (node) => {
        const value =
          node.type === 'JSXText'
            ? node.value
            : node.type === 'JSXAttribute' && spoken.has(String(node.name?.name))
              ? (node.value as { type?: string; value?: unknown } | null)?.type === 'Literal'
                ? (node.value as { value: unknown }).value
                : ''
              : '';
        if (typeof value === 'string' && !ignored.test(value.trim())) found.push(`${path}: ${value.trim()}`);
      });
    }
    expect(found).toEqual([]);
  });
});
