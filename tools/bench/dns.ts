import type { Page } from '@playwright/test';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { waitFor } from '../start/wait';
import { openBrowser, requireChromium } from './browser';
import { type Measured, reportDns, type Row } from './dns-report';
import { logIn } from './product';
import { setStage } from './stage';
import { median } from './statistics';
import type { Workbench } from './workbench';

const login = { email: 'dns@vigie.test', api_key: 'cle-globale' };
const timeoutMs = 10_000;
const fullSize = { zones: 500, records: 3_000 };
const quickSize = { zones: 60, records: 300 };

/** Measures the DNS screens: requests to Cloudflare and time until the first row. */
export async function benchDns(bench: Workbench, isQuick: boolean): Promise<void> {
  const chromium = requireChromium();
  const cloudflare = await FakeCloudflare.start();
  bench.atEnd(() => cloudflare.close());
  const size = isQuick ? quickSize : fullSize;
  const zoneId = addZones(cloudflare, size);
  const { product } = await setStage(bench, 'dns', {
    VIGIE_CLOUDFLARE_URL: cloudflare.url,
    VIGIE_DNS_LOOK_SECONDS: '0',
  });
  const token = await logIn(product.address);
  const request = createRequest(product.address, token);
  await request('POST', '/config', login);
  const browser = await openBrowser(bench, chromium);
  const rows: Row[] = [];
  const measure = async (name: string, rounds: number, work: () => Promise<number>) => {
    bench.step(name);
    const callsBefore = cloudflare.ledger.length;
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bench.signal.throwIfAborted();
      times.push(await work());
    }
    rows.push({ name, ms: median(times), calls: (cloudflare.ledger.length - callsBefore) / rounds });
  };
  const paths = { zones: '/zones?limit=50', records: `/zones/${zoneId}/dns?limit=100` };
  const timed = (path: string) => async () => {
    const startedAt = performance.now();
    await request('GET', path);
    return performance.now() - startedAt;
  };
  const rounds = isQuick ? 1 : 5;
  await measure('zones, la première fois', 1, timed(paths.zones));
  await measure('zones, dans la minute', rounds, timed(paths.zones));
  await measure('enregistrements, la première fois', 1, timed(paths.records));
  await measure('enregistrements, ensuite', rounds, timed(paths.records));
  await measure('enregistrements, page suivante', rounds, timed(`${paths.records}&offset=100`));
  const open = async (path: string, text: string) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    try {
      return await measureFirstRow(await context.newPage(), product.address, token, { path, text });
    } finally {
      await context.close();
    }
  };
  await measure('écran des zones', rounds, () => open('/cloudflare', zoneName(0)));
  await measure('écran des enregistrements', rounds, () => open(`/cloudflare?tab=dns&zone=${zoneId}`, 'texte 0 '));
  reportDns({ ...size, rows, rounds } satisfies Measured);
  await browser.close();
  await product.stop();
}

const zoneName = (index: number) => `zone-${String(index).padStart(3, '0')}.fr`;

/** Creates the zones of the account and returns the id of its large zone. */
function addZones(cloudflare: FakeCloudflare, { zones, records }: typeof fullSize): string {
  const account = cloudflare.addAccount(login.email, login.api_key);
  for (let index = 0; index < zones - 1; index += 1) cloudflare.addZone(account, zoneName(index));
  const texts = Array.from({ length: records }, (_, n) => ({
    type: 'TXT',
    name: `h${String(n).padStart(4, '0')}`,
    content: `"${`texte ${n} `.repeat(10)}"`,
  }));
  return cloudflare.addZone(account, 'grande.fr', texts).id;
}

const createRequest = (address: string, token: string) => async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${address}/api/cloudflare${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  await answer.arrayBuffer();
};

type Screen = { path: string; text: string };

/** Returns the milliseconds from the navigation to the first row, with an empty browser cache. */
async function measureFirstRow(page: Page, address: string, token: string, { path, text }: Screen): Promise<number> {
  await page.addInitScript({ content: `localStorage.setItem('access_token', ${JSON.stringify(token)})` });
  const startedAt = performance.now();
  await page.goto(`${address}${path}`, { waitUntil: 'commit' });
  // A locator of Playwright polls twice per second, which is not precise enough.
  const isShown = () => page.evaluate<boolean>(hasRow(text));
  if (!(await waitFor(isShown, { timeoutMs, everyMs: 20 }))) throw new Error(`${path} shows no ${text}`);
  return performance.now() - startedAt;
}

const hasRow = (text: string) =>
  `[...document.querySelectorAll('tbody tr')].some((row) => row.textContent.includes(${JSON.stringify(text)}))`;
