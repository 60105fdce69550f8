import { createServer, type Server } from 'node:http';

const page = (percent: number): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Hunter</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #0b0e11; color: #eaecef;
    font: 16px/1.5 system-ui, sans-serif; text-align: center }
  div { width: min(28rem, 90vw) }
  progress { width: 100%; accent-color: #0ecb81 }
  p { margin: 0.5rem 0; color: #9aa3ad }
</style>
<div>
  <strong>The local market\u2019s past is being replayed: <span id="percent">${percent}</span> %</strong>
  <progress id="bar" max="100" value="${percent}"></progress>
  <p>This happens once. Hunter opens by itself when it is done.</p>
  <p lang="zh">正在回放本地市场的历史，仅首次启动需要，完成后自动打开。</p>
</div>
<script>
  // Between this page and the product nobody answers for a moment.
  setInterval(async () => {
    const reply = await fetch('/api/health/past').catch(() => null);
    if (reply === null) return;
    if (reply.status !== 202) return location.reload();
    const { percent: now } = await reply.json();
    percent.textContent = now;
    bar.value = now;
  }, 500);
</script>
</html>
`;

/** Shows at the product's own address how far its past is, for as long as the product is not there. */
export async function showProgress(
  port: number,
  host = '127.0.0.1',
): Promise<{ show(percent: number): void; close(): Promise<void> }> {
  let percent = 0;
  const server: Server = createServer((request, response) => {
    const isQuestion = request.url === '/api/health/past';
    response.writeHead(isQuestion ? 202 : 503, {
      'content-type': isQuestion ? 'application/json' : 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
    });
    response.end(isQuestion ? JSON.stringify({ percent }) : page(percent));
  });
  // Whoever cannot be shown the page waits for the product as before.
  await new Promise<void>((resolve) => server.once('error', () => resolve()).listen(port, host, resolve));
  return {
    show: (now) => {
      percent = now;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
