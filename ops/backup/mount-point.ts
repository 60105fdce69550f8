import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of this process, a mount in each line; the fifth word is where. */
const MOUNTS = '/proc/self/mountinfo';

/** A folder of the same device may be mounted too, which only the list of Linux tells. */
export function isMountPoint(folder: string): boolean {
  const path = realpathSync(folder);
  if (statSync(path).dev !== statSync(dirname(path)).dev) return true;
  if (!existsSync(MOUNTS)) return false;
  const places = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '');
  return places.some((place) => unescaped(place) === path);
}

/** Spaces and the like are written as three octal digits. */
function unescaped(place: string): string {
  return place.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
