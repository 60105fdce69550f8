/** What is asked for again and again under one key is loaded once, and shared by those who ask meanwhile. */
export function loadOnce<T>(known: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const loading = known.get(key) ?? load();
  known.set(key, loading);
  return loading;
}
