import { lazy, Suspense, useState } from 'react';
import { loadPatiently } from './load-patiently.ts';

const DEFAULT_AVATAR_IMAGE = '/default-avatar.svg';
const palette = ['#6d5cf6', '#22c98d', '#f3c14b', '#ff5f78', '#3aa0ff'];
// Drawn only for people who are logged in, so its code stays out of the login page.
const Drawn = lazy(() => loadPatiently(() => import('boring-avatars')));

/** The user's picture; without one, a drawing made from the name; the default image when the picture fails to load. */
export function UserAvatar({ src, name, size = 26 }: { src?: string | null | undefined; name: string; size?: number }) {
  const [failed, setFailed] = useState<string | null>(null);
  const box = 'block shrink-0 overflow-hidden rounded-full';
  const image = (url: string) => (
    <img
      src={url}
      alt=""
      width={size}
      height={size}
      className={box}
      style={{ width: size, height: size }}
      onError={() => setFailed(url)}
    />
  );
  if (src) return image(failed === src ? DEFAULT_AVATAR_IMAGE : src);
  return (
    <span className={box} style={{ width: size, height: size }} aria-hidden="true">
      <Suspense fallback={image(DEFAULT_AVATAR_IMAGE)}>
        <Drawn name={name} size={size} variant="marble" colors={palette} />
      </Suspense>
    </span>
  );
}
