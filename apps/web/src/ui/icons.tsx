// The few icons of the product, drawn here in one weight so that the first load carries no icon library.
import type { ReactNode, SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement> & { size?: number };

/* @__NO_SIDE_EFFECTS__ */
function icon(drawing: () => ReactNode) {
  return ({ size = 18, ...rest }: IconProps) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.9"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      {drawing()}
    </svg>
  );
}

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
export const CopyIcon = icon(() => (
  <>
    <rect x="9" y="9" width="11" height="11" rx="2.5" />
    <path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5" />
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
export const DownloadIcon = icon(() => <path d="M12 4v11M7 10.5l5 5 5-5M4.5 20h15" />);
export const LogoutIcon = icon(() => (
  <path d="M14 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H14M10.5 12H20M16.5 8.5 20 12l-3.5 3.5" />
));
export const UserIcon = icon(() => (
  <>
    <circle cx="12" cy="8.5" r="4" />
    <path d="M4.5 20c1-4 4-6 7.5-6s6.5 2 7.5 6" />
  </>
));
/** Strategies: several lines that follow one. */
export const StrategyIcon = icon(() => <path d="M3.5 16.5 9 11l4 3.5 7.5-8M15.5 6.5h5v5M3.5 20.5h17" />);
export const ArrowLeftIcon = icon(() => <path d="M20 12H4.5M10.5 6l-6 6 6 6" />);
/** Leads to another page. */
export const OpenIcon = icon(() => <path d="M13.5 4.5h6v6M19.5 4.5 11 13M17.5 14v5.5h-13v-13H10" />);
export const ClockIcon = icon(() => (
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </>
));
export const FlameIcon = icon(() => (
  <path d="M12 3c.5 3.5 5.5 5.5 5.5 11a5.5 5.5 0 0 1-11 0c0-2 .8-3.3 2-4.5.2 1.5 1 2.3 1.8 2.5C10 9 10.5 5.5 12 3Z" />
));
export const ShieldIcon = icon(() => (
  <path d="M12 3.2 4.5 6v5.5c0 4.6 3.1 7.9 7.5 9.3 4.4-1.4 7.5-4.7 7.5-9.3V6L12 3.2ZM8.8 12l2.3 2.3 4.2-4.3" />
));

export const StarIcon = icon(() => (
  <path d="m12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8L12 3.5Z" />
));
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
export const ExpandIcon = icon(() => <path d="M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5" />);
export const ShrinkIcon = icon(() => <path d="M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5" />);
export const EditIcon = icon(() => <path d="M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4" />);
export const PauseIcon = icon(() => <path d="M8.5 5v14M15.5 5v14" />);
export const PlayIcon = icon(() => <path d="M7 5v14l12-7L7 5Z" />);
