// Icons that pages and dialogs bring along.
import { icon } from './icon.tsx';

export const CopyIcon = icon(() => (
  <>
    <rect x="9" y="9" width="11" height="11" rx="2.5" />
    <path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5" />
  </>
));
export const DownloadIcon = icon(() => <path d="M12 4v11M7 10.5l5 5 5-5M4.5 20h15" />);
export const LogoutIcon = icon(() => (
  <path d="M14 4.5H6.5A1.5 1.5 0 0 0 5 6v12a1.5 1.5 0 0 0 1.5 1.5H14M10.5 12H20M16.5 8.5 20 12l-3.5 3.5" />
));
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
export const ExpandIcon = icon(() => <path d="M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5" />);
export const ShrinkIcon = icon(() => <path d="M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5" />);
export const EditIcon = icon(() => <path d="M4 20h4L19 9l-4-4L4 16v4ZM13 7l4 4" />);
export const PauseIcon = icon(() => <path d="M8.5 5v14M15.5 5v14" />);
export const PlayIcon = icon(() => <path d="M7 5v14l12-7L7 5Z" />);
