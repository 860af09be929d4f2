import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium as driver, type Page } from '@playwright/test';
import { root } from '../start/env';
import { waitFor } from '../start/wait';
import { fr } from '../terminal';
import { screens } from './fleet-endpoints';
import type { Seen } from './fleet-report';
import { median } from './statistics';
import type { Workbench } from './workbench';

type Options = { address: string; token: string; chromium: string; rounds: number; signal: AbortSignal };

/** After that the page has fetched what it fetches once it has nothing better to do. */
const afterwardsMs = 2_000;
const patienceMs = 20_000;
const readWatch = () => readFileSync(join(root, 'tools/bench/page/watch.js'), 'utf8');
const readAxe = () => readFileSync(createRequire(join(root, 'package.json')).resolve('axe-core/axe.min.js'), 'utf8');

/** Each screen in a window of its own with an empty cache, as often as there are rounds. */
export async function lookAtScreens(bench: Workbench, options: Options): Promise<Seen> {
  const browser = await driver.launch({ executablePath: options.chromium, args: ['--no-sandbox', '--disable-gpu'] });
  bench.atEnd(() => browser.close());
  const seen: Seen['screens'] = [];
  for (const path of screens) {
    bench.step(fr`écran ${path}`);
    const times: number[] = [];
    const longest: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      options.signal.throwIfAborted();
      const looked = await look(browser, options, path);
      times.push(looked.interactive);
      longest.push(looked.longest);
    }
    seen.push({
      path,
      interactiveMs: median(times),
      longestMs: Math.max(...longest),
      light: await faultsOf(browser, options, path, 'light'),
      dark: await faultsOf(browser, options, path, 'dark'),
    });
  }
  bench.step(fr`recherche dans la palette`);
  const paletteMs = await searchIn(browser, options);
  await browser.close();
  return { screens: seen, paletteMs };
}

async function openPage(browser: Browser, options: Options, path: string, theme = 'light'): Promise<Page> {
  const { address, token, signal } = options;
  const context = await browser.newContext({ locale: 'fr-FR', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(`localStorage.setItem('access_token', ${JSON.stringify(token)});
    localStorage.setItem('theme', ${JSON.stringify(theme)});`);
  await page.addInitScript(readWatch());
  await page.goto(`${address}${path}`);
  // Asked by the protocol: the page itself evaluates no text.
  const isUsable = () => page.evaluate<boolean>('window.vigieSeen.interactive !== null');
  if (!(await waitFor(isUsable, { timeoutMs: patienceMs, everyMs: 20, signal })))
    throw new Error(`${path} did not become usable`);
  return page;
}

async function look(browser: Browser, options: Options, path: string) {
  const page = await openPage(browser, options, path);
  await page.waitForTimeout(afterwardsMs);
  const seen = await page.evaluate<{ interactive: number; longest: number }>('window.vigieSeen');
  await page.context().close();
  return seen;
}

/** The rules that are broken, each with how often. Handed over by the protocol: the page itself takes no foreign script. */
async function faultsOf(browser: Browser, options: Options, path: string, theme: string): Promise<string[]> {
  const page = await openPage(browser, options, path, theme);
  await page.evaluate(readAxe());
  const faults = await page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} × ${nodes.length} : ${nodes[0].target}`))',
  );
  await page.context().close();
  return faults;
}

/** From the last letter to the first site in the palette, the pause before it asks included. */
async function searchIn(browser: Browser, options: Options): Promise<number> {
  const page = await openPage(browser, options, '/uploads');
  const times: number[] = [];
  for (const word of ['mairie', 'musee 12', 'boutique 4', 'web-7 exemple', 'editions'].slice(0, options.rounds)) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Rechercher un site' }).waitFor();
    const since = performance.now();
    await page.keyboard.insertText(word);
    await page
      .getByRole('group', { name: /^(?:Sites|Serveurs)$/ })
      .first()
      .waitFor();
    times.push(performance.now() - since);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Rechercher un site' }).waitFor({ state: 'detached' });
  }
  await page.context().close();
  return median(times);
}
