import type { MailboxRow } from '../platform/mailbox.ts';
import { escapeHtml } from '../platform/html.ts';

export function mailboxPage(email: string, mails: readonly MailboxRow[]): string {
  const empty = email === '' ? '' : `<p>No mail for ${escapeHtml(email)} yet. Reload to look again.</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local mailbox · Hunter</title>
<link rel="stylesheet" href="/api/dev/mailbox/style.css">
</head>
<body>
<main>
<h1>Local mailbox</h1>
<p>In local mode mails stay on this machine. Type the address you used.</p>
<form method="get">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" required value="${escapeHtml(email)}">
<button>Show mails</button>
</form>
${mails.length === 0 ? empty : mails.map(mailHtml).join('\n')}
</main>
</body>
</html>
`;
}

function mailHtml({ subject, text, code, sentAt }: MailboxRow): string {
  const time = new Date(sentAt).toISOString();
  const codeLine = code === null ? '' : `<p>Code: <strong>${escapeHtml(code)}</strong></p>`;
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p><time datetime="${time}">${time}</time></p>
${codeLine}
<pre>${withLinks(escapeHtml(text))}</pre>
</article>`;
}

/** Escaped text has no quotes, so an address cannot break out of its attribute. */
function withLinks(escaped: string): string {
  return escaped.replaceAll(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
}

export const mailboxStyle = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
main { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
form { display: flex; gap: .5rem; align-items: center; flex-wrap: wrap; }
input { flex: 1; min-width: 12rem; }
input, button { font: inherit; padding: .4rem .6rem; }
article { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; padding: 0 1rem; margin: 1rem 0; }
h2 { font-size: 1rem; }
strong { font-size: 1.5rem; letter-spacing: .15em; }
pre { white-space: pre-wrap; }
`;
