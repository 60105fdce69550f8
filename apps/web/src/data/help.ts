/** The guide and the list of keys are opened from anywhere and loaded late: whoever shows them listens here. */
export type Help = 'guide' | 'keys';

const target = new EventTarget();

export function openHelp(help: Help): void {
  target.dispatchEvent(new Event(help));
}

export function onHelp(listener: (help: Help) => void): () => void {
  const listen = (event: Event) => listener(event.type as Help);
  for (const help of ['guide', 'keys'] as const) target.addEventListener(help, listen);
  return () => {
    for (const help of ['guide', 'keys'] as const) target.removeEventListener(help, listen);
  };
}
