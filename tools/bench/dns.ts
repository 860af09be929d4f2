import type { Browser } from '@playwright/test';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { waitFor } from '../start/wait';
import { fr } from '../terminal';
import { openBrowser, requireChromium } from './browser';
import { measure, type Part, timed } from './measure';
import { logIn, requestAs } from './product';
import { aim, milliseconds, number } from './report';
import { setStage } from './stage';
import { median, sum } from './statistics';

const login = { email: 'dns@vigie.test', api_key: 'cle-globale' };
const timeoutMs = 10_000;
const fullSize = { zones: 500, records: 3_000 };
const quickSize = { zones: 60, records: 300 };

/** Measures the DNS screens: requests to Cloudflare and time until the first row. */
export const dns: Part = async (bench, isQuick) => {
  const chromium = requireChromium();
  const cloudflare = await FakeCloudflare.start();
  bench.atEnd(() => cloudflare.close());
  const size = isQuick ? quickSize : fullSize;
  const zoneId = addZones(cloudflare, size);
  const { product } = await setStage(bench, {
    VIGIE_CLOUDFLARE_URL: cloudflare.url,
    VIGIE_DNS_LOOK_SECONDS: '0',
  });
  const token = await logIn(product.address);
  const request = requestAs(product.address, token);
  await request('POST', 'cloudflare/config', login);
  const browser = await openBrowser(bench, chromium);
  const counted = (name: string, work: () => Promise<number>) => ({
    name,
    run: async () => {
      const callsBefore = cloudflare.ledger.length;
      return { ms: await work(), calls: cloudflare.ledger.length - callsBefore };
    },
  });
  const get = (name: string, path: string) =>
    counted(name, async () => (await timed(() => request('GET', `cloudflare${path}`))).ms);
  const open = (name: string, path: string, text: string) =>
    counted(name, () => openScreen(browser, product.address, token, { path, text }));
  const paths = { zones: '/zones?limit=50', records: `/zones/${zoneId}/dns?limit=100` };
  const rounds = isQuick ? 1 : 5;
  return [
    measure({
      title: fr`DNS : un compte de ${size.zones} zones, une zone de ${size.records} enregistrements`,
      contenders: {
        firstZones: { ...get(fr`zones, la première fois`, paths.zones), rounds: 1 },
        zones: get(fr`zones, dans la minute`, paths.zones),
        firstRecords: { ...get(fr`enregistrements, la première fois`, paths.records), rounds: 1 },
        records: get(fr`enregistrements, ensuite`, paths.records),
        nextPage: get(fr`enregistrements, page suivante`, `${paths.records}&offset=100`),
        zonesScreen: open(fr`écran des zones`, '/cloudflare', zoneName(0)),
        recordsScreen: open(fr`écran des enregistrements`, `/cloudflare?tab=dns&zone=${zoneId}`, 'texte 0 '),
      },
      rounds,
      isInSequence: true,
      summarize: (samples) => ({
        ms: median(samples.map(({ ms }) => ms)),
        calls: sum(samples.map(({ calls }) => calls)) / samples.length,
      }),
      columns: () => [
        ['temps', ({ ms }) => milliseconds(ms)],
        ['appels à Cloudflare', ({ calls }) => number(calls, Number.isInteger(calls) ? 0 : 1)],
      ],
      lines: ({ zonesScreen, recordsScreen }) =>
        [zonesScreen, recordsScreen].map(({ name, ms }) => aim(name, ms, '<', 1_000, milliseconds)),
      note: fr`
  Cloudflare est remplacé par un serveur de cette machine, qui répond aussitôt : ses propres délais s’ajoutent à chaque appel.
  Un écran va de l’adresse à sa première ligne, dans un Chromium sans cache. Médiane de ${rounds} fois.`,
    }),
  ];
};

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

type Screen = { path: string; text: string };

/** Returns the milliseconds from the navigation to the first row, with an empty browser cache. */
async function openScreen(browser: Browser, address: string, token: string, { path, text }: Screen): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript({ content: `localStorage.setItem('access_token', ${JSON.stringify(token)})` });
    const startedAt = performance.now();
    await page.goto(`${address}${path}`, { waitUntil: 'commit' });
    // A locator of Playwright polls twice per second, which is not precise enough.
    const isShown = () => page.evaluate<boolean>(hasRow(text));
    if (!(await waitFor(isShown, { timeoutMs, everyMs: 20 }))) throw new Error(`${path} shows no ${text}`);
    return performance.now() - startedAt;
  } finally {
    await context.close();
  }
}

const hasRow = (text: string) =>
  `[...document.querySelectorAll('tbody tr')].some((row) => row.textContent.includes(${JSON.stringify(text)}))`;
