// What stands in index.html itself and is painted before any script has run: the frame that all pages share, at the
// places where the app then renders it. It speaks no language, because nobody knows yet which one is wanted, and follows
// the theme and the session by what boot.ts has put on the document. The build renders it; the app takes it away.
import { headerClass, productClass } from '../shell/header-frame.ts';
import {
  BellIcon,
  ChevronDownIcon,
  CompassIcon,
  Logo,
  MoonIcon,
  SearchIcon,
  StrategyIcon,
  SunIcon,
  UserIcon,
} from '../ui/icons.tsx';
import { UserMenuFrame } from '../ui/user-menu-frame.tsx';

const FIRST_PAINT_ID = 'first-paint';

const bar = 'block h-2.5 rounded-md bg-hover';
const iconBox = 'grid size-[34px] shrink-0 place-items-center pointer-coarse:size-10';

export function FirstPaint() {
  return (
    <div id={FIRST_PAINT_ID} aria-hidden="true" className="pointer-events-none fixed inset-0 z-40">
      <div className={headerClass}>
        <span className={productClass}>
          <Logo />
          <span className="max-[420px]:hidden">Hunter</span>
        </span>
        <div className="flex gap-1 text-muted max-lg:hidden">
          {[CompassIcon, StrategyIcon, UserIcon].map((MenuIcon, place) => (
            <span key={place} className="flex h-[33px] items-center gap-1.5 px-3">
              <MenuIcon size={15} />
              <span className={`${bar} w-[53px]`} />
            </span>
          ))}
        </div>
        <div className="ml-auto flex shrink-0 items-center gap-1 text-muted sm:gap-2">
          <span className={`${iconBox} md:hidden`}>
            <SearchIcon />
          </span>
          <span className="flex h-[34px] w-[250px] items-center xl:w-[320px] rounded-[9px] border border-line bg-bg px-[11px] text-faint max-md:hidden">
            <SearchIcon size={16} />
          </span>
          <span className="hidden in-data-session:block">
            <span className={iconBox}>
              <BellIcon />
            </span>
          </span>
          <span className={iconBox}>
            <MoonIcon className="in-data-[theme=light]:hidden" />
            <SunIcon className="in-data-[theme=dark]:hidden" />
          </span>
          <span className="flex h-[34px] items-center gap-1 px-2 pointer-coarse:h-10">
            <span className={`${bar} w-[18px]`} />
            <ChevronDownIcon size={14} className="text-faint" />
          </span>
          <span className="hidden in-data-session:block">
            <UserMenuFrame />
          </span>
          <span className="h-[30px] w-[58px] rounded-lg bg-accent in-data-session:hidden pointer-coarse:h-10" />
        </div>
      </div>
      <div className="absolute inset-x-0 bottom-0 grid grid-cols-3 in-data-guide:grid-cols-4 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] text-muted lg:hidden">
        {[CompassIcon, StrategyIcon, UserIcon].map((MenuIcon, place) => (
          <span key={place} className="flex h-14 items-center justify-center pb-4">
            <MenuIcon size={20} />
          </span>
        ))}
      </div>
    </div>
  );
}
