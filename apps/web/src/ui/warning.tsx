/** What went wrong with an action, beside its button. */
export function Warning({ text }: { text: string }) {
  return (
    <p role="alert" className="rounded-m bg-warn-soft px-3 py-2 text-sm text-warn">
      {text}
    </p>
  );
}
