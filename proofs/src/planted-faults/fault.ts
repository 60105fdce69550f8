/** One fault of one line, and the test that must turn red by it. */
export type Fault = {
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  /** The title of the test as its file spells it. */
  readonly title: string;
};

/** What is wrong with a fault before it is planted; `read` gives the text of a file of the project, null where there is none. */
export function misplaced(
  { file, find, replace, test, title }: Fault,
  read: (file: string) => string | null,
): string | null {
  const source = read(file);
  if (source === null) return `${file} does not exist`;
  const places = source.split(find).length - 1;
  if (places !== 1) return `${file} has ${places} places that read: ${find}`;
  if (find === replace) return `${file}: the fault changes nothing: ${find}`;
  const tests = read(test);
  if (tests === null) return `${test} does not exist`;
  return hasTitle(tests, title) ? null : `${test} has no test "${title}"`;
}

/** Whether a test file has a test of that title, spelt out or as a row of a table. */
export function hasTitle(tests: string, title: string): boolean {
  if (tests.includes(title) || tests.includes(title.replaceAll("'", "\\'"))) return true;
  const templates = [...tests.matchAll(/'([^'\n]*%[sdj][^'\n]*)'/g)].map((match) => match[1]!);
  return templates.some((template) => {
    const [first = '', ...rest] = template.split(/%[sdj]/);
    let at = title.startsWith(first) ? first.length : -1;
    for (const part of rest)
      if (at !== -1) at = title.indexOf(part, at) === -1 ? -1 : title.indexOf(part, at) + part.length;
    return at === title.length;
  });
}
