// The shape of a catalogue. English is the source: the Chinese files are typed by the English ones, so that a missing or
// surplus text does not compile.
import { keepUnits } from './keep-units.ts';

/** A text with `{name}` places, or one per plural form, chosen by the parameter `count`. */
type PluralText = { one?: string; other: string };
export type Messages = { readonly [key: string]: string | PluralText | Messages };

export type TranslationOf<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string
    ? string
    : Source[Key] extends PluralText
      ? PluralText
      : TranslationOf<Source[Key]>;
};

/** Every path to a text, as `group.key`. */
export type KeysOf<Source> = {
  [Key in keyof Source & string]: Source[Key] extends string | PluralText ? Key : `${Key}.${KeysOf<Source[Key]>}`;
}[keyof Source & string];

export type TextParams = Readonly<Record<string, string | number>>;

export function isPlural(entry: unknown): entry is PluralText {
  return typeof entry === 'object' && entry !== null && typeof (entry as PluralText).other === 'string';
}

/** Null where the catalogue holds no text under that path. */
export function lookUp(messages: Messages | undefined, path: readonly string[]): string | PluralText | null {
  let entry: Messages[string] | undefined = messages;
  for (const key of path) {
    if (typeof entry !== 'object' || isPlural(entry)) return null;
    entry = entry[key];
  }
  return typeof entry === 'string' || isPlural(entry) ? entry : null;
}

const pluralRules = new Map<string, Intl.PluralRules>();

export function render(entry: string | PluralText, params: TextParams | undefined, language: string): string {
  let text: string;
  if (typeof entry === 'string') {
    text = entry;
  } else {
    let rules = pluralRules.get(language);
    if (!rules) pluralRules.set(language, (rules = new Intl.PluralRules(language)));
    text = (rules.select(Number(params?.['count'] ?? 0)) === 'one' && entry.one) || entry.other;
  }
  if (params) text = text.replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place));
  return keepUnits(text);
}
