import { useState } from 'react';
import { classNames } from './class-names.ts';

const DEFAULT_TOKEN_IMAGE = '/default-token.svg';

/**
 * A token's logo. Only images of our own origin are loaded: a logo is chosen by whoever made the token, and a foreign
 * address would tell its owner who looks at what.
 */
export function TokenAvatar({
  src,
  size = 30,
  className,
}: {
  src: string | null | undefined;
  size?: number;
  className?: string;
}) {
  const [failed, setFailed] = useState<string | null>(null);
  const usable = src && src.startsWith('/') && !src.startsWith('//') && failed !== src ? src : DEFAULT_TOKEN_IMAGE;
  return (
    <img
      src={usable}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      draggable={false}
      className={classNames('shrink-0 rounded-full bg-hover object-cover', className)}
      style={{ width: size, height: size }}
      onError={() => setFailed(src ?? null)}
    />
  );
}
