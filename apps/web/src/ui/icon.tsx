// The few icons of the product are drawn here in one weight, so that no page carries an icon library.
import type { ReactNode, SVGProps } from 'react';

type IconProps = SVGProps<SVGSVGElement> & { size?: number };

/* @__NO_SIDE_EFFECTS__ */
export function icon(drawing: () => ReactNode) {
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
