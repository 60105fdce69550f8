import { ChevronDownIcon } from './icons.tsx';

/** The place of the user's menu while it loads, before the app and after. */
export function UserMenuFrame() {
  return (
    <span className="flex h-[34px] items-center gap-2 rounded-full border border-line pr-2 pl-1 max-[420px]:pl-2 pointer-coarse:h-10">
      <span className="size-[26px] rounded-full bg-hover max-[420px]:hidden" />
      <span className="block h-2.5 w-[64px] rounded-md bg-hover" />
      <ChevronDownIcon size={14} className="text-faint max-sm:hidden" />
    </span>
  );
}
