// Icons of the first load, whichever page it is of.
import { icon } from './icon.tsx';

export const SearchIcon = icon(() => (
  <>
    <circle cx="11" cy="11" r="7" />
    <path d="m20 20-3.8-3.8" />
  </>
));
export const CloseIcon = icon(() => <path d="M6 6l12 12M18 6 6 18" />);
export const SunIcon = icon(() => (
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
  </>
));
export const MoonIcon = icon(() => <path d="M20.5 14.2A8.5 8.5 0 0 1 9.8 3.5a8.5 8.5 0 1 0 10.7 10.7Z" />);
export const ChevronDownIcon = icon(() => <path d="m6 9.5 6 6 6-6" />);
export const CheckIcon = icon(() => <path d="m4.5 12.5 5 5L19.5 7" />);
export const WarningIcon = icon(() => <path d="M12 4 2.8 19.5h18.4L12 4ZM12 10v4.5M12 17.2v.1" />);
export const BellIcon = icon(() => (
  <path d="M6 9.5a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4s2-1.5 2-6.5ZM10 19.5a2.2 2.2 0 0 0 4 0" />
));
export const InfoIcon = icon(() => (
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5.5M12 7.7v.1" />
  </>
));
export const EyeIcon = icon(() => (
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="2.8" />
  </>
));
export const EyeOffIcon = icon(() => (
  <path d="M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.9 3.6M6.3 7.3A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9.3 9.3 0 0 0 4.5-1.2M10.1 10.1a2.7 2.7 0 0 0 3.8 3.8" />
));
export const UserIcon = icon(() => (
  <>
    <circle cx="12" cy="8.5" r="4" />
    <path d="M4.5 20c1-4 4-6 7.5-6s6.5 2 7.5 6" />
  </>
));
/** Strategies: several lines that follow one. */
export const StrategyIcon = icon(() => <path d="M3.5 16.5 9 11l4 3.5 7.5-8M15.5 6.5h5v5M3.5 20.5h17" />);
export const CompassIcon = icon(() => (
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="m15.8 8.2-2.3 5.3-5.3 2.3 2.3-5.3 5.3-2.3Z" />
  </>
));

/** The product's mark: a sight. */
export function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true" className="text-accent">
      <circle cx="12" cy="12" r="8.2" stroke="currentColor" strokeWidth="2" />
      <circle cx="12" cy="12" r="2.6" fill="currentColor" />
      <path d="M12 1v5M12 18v5M1 12h5M18 12h5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
