/** The system limits the path of a Unix socket to about 100 bytes. */
const SOCKET_PATH_MAX_BYTES = 100;

export function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES;
}
