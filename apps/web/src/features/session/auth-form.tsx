import { Link } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';

/** The form of a page around an account: its fields below each other, then the one button. */
export function AuthForm({
  form,
  submit,
  children,
}: {
  form: { pending: boolean; onSubmit: (event: FormEvent<HTMLFormElement>) => void };
  submit: string;
  children: ReactNode;
}) {
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      {children}
      <Button type="submit" size="l" className="mt-1 w-full" pending={form.pending}>
        {submit}
      </Button>
    </form>
  );
}

/** The way to the other form, for somebody who came to the wrong one. */
export function AuthDetour({
  to,
  search = {},
  question,
  link,
}: {
  to: '/login' | '/register' | '/unfreeze' | '/undo-reset';
  /** Where to go in the end. */
  search?: { redirect?: string };
  question?: string;
  link: string;
}) {
  return (
    <p className="mt-5 text-center text-muted">
      {question && `${question} `}
      <Link to={to} search={search} className="font-semibold text-accent-text hover:underline">
        {link}
      </Link>
    </p>
  );
}
