const NAMES = ['PATH', 'HOME', 'TZ', 'LANG', 'TMPDIR'];

/** What any program needs of the environment, and none of the secrets that an operator sets in it. */
export function bareEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  ...others: readonly string[]
): Record<string, string> {
  const found = [...NAMES, ...others].map((name) => [name, inherited[name]] as const);
  return Object.fromEntries(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
