import type { Browser, Page } from '@playwright/test';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { fr } from '../terminal';
import { openBrowser, requireChromium } from './browser';
import { seed } from './fleet-seed';
import { logIn } from './product';
import { setStage } from './stage';
import { median, sum } from './statistics';
import { aim, milliseconds, number, printTable, times } from './table';
import { startSites } from './wordpress-stage';
import type { Workbench } from './workbench';

/** An ordinary line: 10 Mbit/s, and 40 ms there and back. */
const line = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };

/** A page that a person opens in the morning, and what shows that it can be read. */
type Target = { name: string; url: string; content: string; prepare: (page: Page) => Promise<unknown> };
type Load = { ms: number; requests: number; bytes: number; scriptBytes: number };

/** Measures the cold load of the dashboard of a thousand sites, against the dashboard of one WordPress site. */
export async function benchWeb(bench: Workbench, isQuick: boolean): Promise<void> {
  const chromium = requireChromium();
  const { servers, product } = await setStage(bench, 'web');
  bench.step(fr`ajoute mille sites`);
  await seed(servers.databaseUrl, { sites: 1_000, servers: 40, groups: 20, plugins: 100 });
  const fleet = await startSites(bench, 1);
  const token = await logIn(product.address);
  const storeToken = `localStorage.setItem('access_token', ${JSON.stringify(token)})`;
  const vigie: Target = {
    name: 'Vigie, mille sites',
    url: `${product.address}/`,
    content: 'text=sites attendent des mises à jour',
    prepare: (page) => page.addInitScript(storeToken),
  };
  const browser = await openBrowser(bench, chromium);
  const targets = [await wordPressTarget(fleet), vigie];
  report(await measureInTurns(bench, browser, targets, isQuick ? 1 : 7));
  await browser.close();
  for (const stop of [() => fleet.close(), product.stop, servers.stop]) await stop();
}

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
  return { name: 'WordPress, un site', url, content: '#dashboard_right_now', prepare };
}

/** Each load has an empty cache. The rounds alternate, so that a busy moment of the machine strikes both. */
async function measureInTurns(bench: Workbench, browser: Browser, targets: readonly Target[], rounds: number) {
  const loads = new Map<string, Load[]>(targets.map(({ name }) => [name, []]));
  // The first load of each warms the server up and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const target of targets) {
      bench.signal.throwIfAborted();
      bench.step(fr`${target.name}, tour ${round} sur ${rounds}`);
      const load = await measureLoad(browser, target);
      if (round > 0) loads.get(target.name)?.push(load);
    }
  }
  return loads;
}

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

function report(loads: ReadonlyMap<string, readonly Load[]>): void {
  const figures = [...loads].map(([name, all]) => {
    const of = (field: keyof Load) => median(all.map((load) => load[field]));
    return { name, ms: of('ms'), requests: of('requests'), bytes: of('bytes'), scriptBytes: of('scriptBytes') };
  });
  const kilobytes = (bytes: number) => `${number(bytes / 1000)}\u00a0ko`;
  const [rival] = figures;
  console.log(`\n${fr`Tableau de bord ouvert sans cache, à 10 Mbit/s et 40 ms`}`);
  printTable(
    ['', 'lisible', 'requêtes', 'reçus', 'dont scripts', 'attente de WordPress'],
    figures.map(({ name, ms, requests, bytes, scriptBytes }) => [
      name,
      milliseconds(ms),
      number(requests),
      kilobytes(bytes),
      kilobytes(scriptBytes),
      rival ? times(rival.ms / ms) : '',
    ]),
  );
  const vigie = figures.at(-1);
  if (vigie && rival) console.log(`  ${aim(fr`plus tôt que WordPress`, vigie.ms < rival.ms)}`);
}
