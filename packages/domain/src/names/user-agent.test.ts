import { describe, expect, it } from 'vitest';
import { readUserAgent } from './user-agent.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = (system: string, more = '') => `Mozilla/5.0 (${system}) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36${more}`;

describe('what a browser says of itself', () => {
  it.each([
    [chrome('Windows NT 10.0; Win64; x64'), 'Chrome', 'Windows'],
    [chrome('Windows NT 10.0; Win64; x64', ' Edg/140.0.0.0'), 'Edge', 'Windows'],
    [chrome('X11; Linux x86_64', ' OPR/120.0.0.0'), 'Opera', 'Linux'],
    [chrome('X11; CrOS x86_64 14541.0.0'), 'Chrome', 'ChromeOS'],
    [chrome('Linux; Android 15; Pixel 9'), 'Chrome', 'Android'],
    [
      `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    [
      `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/130.0 Mobile Safari/537.36 MicroMessenger/8.0`,
      'WeChat',
      'Android',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile Safari/604.1',
      'Chrome',
      'iPhone',
    ],
    ['Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Safari/604.1', 'Safari', 'iPad'],
    ['curl/8.5.0', null, null],
  ])('names browser and system: %s', (userAgent, browser, system) => {
    expect(readUserAgent(userAgent)).toEqual({ browser, system });
  });
});
