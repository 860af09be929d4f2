import { chromium, type Page } from '@playwright/test';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { waitFor } from '../start/wait';
import { Refusal } from '../terminal';
import { findChromium } from '../test/chromium';
import { type Measured, reportDns, type Row } from './dns-report';
import { logIn } from './product';
import { setStage } from './stage';
import { median } from './statistics';
import type { Workbench } from './workbench';

const login = { email: 'dns@vigie.test', api_key: 'cle-globale' };
const patienceMs = 10_000;
const max = { zones: 500, records: 3_000 };
const few = { zones: 60, records: 300 };

/** What a screen of DNS costs: how often Cloudflare is asked, and how long it is until the first line is read. */
export async function benchDns(bench: Workbench, isQuick: boolean): Promise<void> {
  const executablePath = findChromium();
  if (!executablePath) throw new Refusal('Chromium manque\u00a0: installez le paquet chromium, puis relancez.');
  const cloudflare = await FakeCloudflare.start();
  bench.atEnd(() => cloudflare.close());
  const size = isQuick ? few : max;
  const zone = fill(cloudflare, size);
  const { product } = await setStage(bench, 'dns', {
    VIGIE_CLOUDFLARE_URL: cloudflare.url,
    VIGIE_DNS_LOOK_SECONDS: '0',
  });
  const token = await logIn(product.address);
  const ask = askOf(product.address, token);
  await ask('POST', '/config', login);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  bench.atEnd(() => browser.close());
  const rows: Row[] = [];
  const measure = async (name: string, rounds: number, work: () => Promise<number>) => {
    bench.step(name);
    const asked = cloudflare.ledger.length;
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bench.signal.throwIfAborted();
      times.push(await work());
    }
    rows.push({ name, ms: median(times), calls: (cloudflare.ledger.length - asked) / rounds });
  };
  const paths = { zones: '/zones?limit=50', records: `/zones/${zone}/dns?limit=100` };
  const timed = (path: string) => async () => {
    const since = performance.now();
    await ask('GET', path);
    return performance.now() - since;
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
      return await firstLine(await context.newPage(), product.address, token, { path, text });
    } finally {
      await context.close();
    }
  };
  await measure('écran des zones', rounds, () => open('/cloudflare', nameOf(0)));
  await measure('écran des enregistrements', rounds, () => open(`/cloudflare?tab=dns&zone=${zone}`, 'texte 0 '));
  reportDns({ ...size, rows, rounds } satisfies Measured);
  await browser.close();
  await product.stop();
}

const nameOf = (place: number) => `zone-${String(place).padStart(3, '0')}.fr`;

/** The account, and the id of its large zone. */
function fill(cloudflare: FakeCloudflare, { zones, records }: typeof max): string {
  const account = cloudflare.addAccount(login.email, login.api_key);
  for (let place = 0; place < zones - 1; place += 1) cloudflare.addZone(account, nameOf(place));
  const texts = Array.from({ length: records }, (_, n) => ({
    type: 'TXT',
    name: `h${String(n).padStart(4, '0')}`,
    content: `"${`texte ${n} `.repeat(10)}"`,
  }));
  return cloudflare.addZone(account, 'grande.fr', texts).id;
}

const askOf = (address: string, token: string) => async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${address}/api/cloudflare${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  await answer.arrayBuffer();
};

type Screen = { path: string; text: string };

/** In milliseconds, from the address to its first line, with nothing in the browser's cache. */
async function firstLine(page: Page, address: string, token: string, { path, text }: Screen): Promise<number> {
  await page.addInitScript({ content: `localStorage.setItem('access_token', ${JSON.stringify(token)})` });
  const since = performance.now();
  await page.goto(`${address}${path}`, { waitUntil: 'commit' });
  // A locator looks twice a second after its first attempts, and would be half a second late.
  const isShown = () => page.evaluate<boolean>(hasRow(text));
  if (!(await waitFor(isShown, { timeoutMs: patienceMs, everyMs: 20 }))) throw new Error(`${path} shows no ${text}`);
  return performance.now() - since;
}

const hasRow = (text: string) =>
  `[...document.querySelectorAll('tbody tr')].some((row) => row.textContent.includes(${JSON.stringify(text)}))`;
