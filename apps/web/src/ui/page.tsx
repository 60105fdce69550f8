import type { ReactNode } from 'react';

/** The frame of an ordinary page: its heading, what it is about, its main actions. */
export function Page({
  title,
  text,
  actions,
  children,
}: {
  title: ReactNode;
  text?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto w-full max-w-[1360px] min-[1700px]:max-w-[1680px] min-[2200px]:max-w-[2200px] px-3 py-5 sm:px-5 sm:py-[26px]">
      <div className="mb-[18px] flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h1>{title}</h1>
          {text && <p className="mt-1.5 text-muted">{text}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
