import type { Browser, Page } from '@playwright/test';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { fr } from '../terminal';
import { openBrowser, requireChromium } from './browser';
import { seed } from './fleet-seed';
import { measure, type Part } from './measure';
import { logIn } from './product';
import { aim, milliseconds, number, times } from './report';
import { setStage } from './stage';
import { sum } from './statistics';
import { startSites } from './wordpress-stage';

/** An ordinary line: 10 Mbit/s, and 40 ms there and back. */
const line = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };

/** A page that a person opens in the morning, and what shows that it can be read. */
type Target = { url: string; content: string; prepare: (page: Page) => Promise<unknown> };
type Load = { ms: number; requests: number; bytes: number; scriptBytes: number };

/** Measures the cold load of the dashboard of a thousand sites, against the dashboard of one WordPress site. */
export const web: Part = async (bench, isQuick) => {
  const chromium = requireChromium();
  const { servers, product } = await setStage(bench);
  bench.step(fr`ajoute mille sites`);
  await seed(servers.databaseUrl, { sites: 1_000, servers: 40, groups: 20, plugins: 100 });
  const fleet = await startSites(bench, 1);
  const token = await logIn(product.address);
  const storeToken = `localStorage.setItem('access_token', ${JSON.stringify(token)})`;
  const vigie: Target = {
    url: `${product.address}/`,
    content: 'text=sites attendent des mises à jour',
    prepare: (page) => page.addInitScript(storeToken),
  };
  const browser = await openBrowser(bench, chromium);
  // The first load of each warms the server up and does not count.
  const contender = (name: string, target: Target) => {
    const run = () => measureLoad(browser, target);
    return { name, prepare: run, run };
  };
  return [
    measure({
      title: fr`Tableau de bord ouvert sans cache, à 10 Mbit/s et 40 ms`,
      contenders: {
        wordpress: contender('WordPress, un site', await wordPressTarget(fleet)),
        vigie: contender('Vigie, mille sites', vigie),
      },
      rounds: isQuick ? 1 : 7,
      columns: ({ wordpress }) => [
        ['lisible', ({ ms }) => milliseconds(ms)],
        ['requêtes', ({ requests }) => number(requests)],
        ['reçus', ({ bytes }) => kilobytes(bytes)],
        ['dont scripts', ({ scriptBytes }) => kilobytes(scriptBytes)],
        ['attente de WordPress', ({ ms }) => times(wordpress.ms / ms)],
      ],
      lines: ({ wordpress, vigie: own }) => [aim(fr`plus tôt que WordPress`, own.ms, '<', wordpress.ms, milliseconds)],
    }),
  ];
};

const kilobytes = (bytes: number) => `${number(bytes / 1000)}\u00a0ko`;

/** The dashboard of WordPress, for its logged-in administrator. */
async function wordPressTarget(fleet: Fleet): Promise<Target> {
  const site = fleet.site('plain');
  const cookies = await fleet.runPhp(
    site,
    `$until = time() + 3600;
    return [[AUTH_COOKIE, wp_generate_auth_cookie(1, $until, 'auth')],
      [LOGGED_IN_COOKIE, wp_generate_auth_cookie(1, $until, 'logged_in')]];`,
  );
  const url = `${site.url}/wp-admin/`;
  const asCookies = (cookies as [string, string][]).map(([name, value]) => ({ name, value, url: site.url }));
  const prepare = (page: Page) => page.context().addCookies(asCookies);
  return { url, content: '#dashboard_right_now', prepare };
}

/** Each load has an empty cache. */
async function measureLoad(browser: Browser, { url, content, prepare }: Target): Promise<Load> {
  const context = await browser.newContext({ locale: 'fr-FR', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.emulateNetworkConditions', line);
  const kinds = new Map<string, string>();
  const sizes: { kind: string; bytes: number }[] = [];
  protocol.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  protocol.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) =>
    sizes.push({ kind: kinds.get(requestId) ?? '', bytes }),
  );
  await prepare(page);
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(content).first().waitFor();
  const ms = performance.now() - startedAt;
  await page.waitForLoadState('networkidle');
  await context.close();
  const bytesOf = (loaded: typeof sizes) => sum(loaded.map(({ bytes }) => bytes));
  const scripts = sizes.filter(({ kind }) => kind === 'Script');
  return { ms, requests: sizes.length, bytes: bytesOf(sizes), scriptBytes: bytesOf(scripts) };
}
