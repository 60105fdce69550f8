import { session } from '../../data/session.ts';

export const exportFiles = {
  record: { path: '/api/user/getMyTradeRecord.csv', file: 'hunter-trade-record.csv' },
  fills: { path: '/api/user/getMyFills.csv', file: 'hunter-fills.csv' },
} as const;

/** The file needs the session's header, which a plain link cannot send; so it is fetched and handed to the browser. */
export async function downloadCsv({ path, file }: { path: string; file: string }): Promise<void> {
  const answer = await fetch(`${path}?t=${Date.now()}`, {
    headers: { token: session.storedToken() ?? '' },
  });
  if (!answer.ok || !(answer.headers.get('content-type') ?? '').startsWith('text/csv')) {
    throw new Error(`The export answered ${answer.status}`);
  }
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = file;
  link.click();
  // The browser reads the file after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
