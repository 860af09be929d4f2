import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { root } from '../start/env';
import { waitFor } from '../start/wait';
import { fr } from '../terminal';
import { openBrowser } from './browser';
import { screens } from './fleet-endpoints';
import type { ScreenResults } from './fleet-report';
import { median } from './statistics';
import type { Workbench } from './workbench';

type Options = { address: string; token: string; chromium: string; rounds: number; signal: AbortSignal };

/** Pages fetch data in the background during this time after they are usable. */
const backgroundMs = 2_000;
const timeoutMs = 20_000;
const readWatch = () => readFileSync(join(root, 'tools/bench/page/watch.js'), 'utf8');
const readAxe = () => readFileSync(createRequire(join(root, 'package.json')).resolve('axe-core/axe.min.js'), 'utf8');

/** Opens each screen in a new window with an empty cache, once per round. */
export async function measureScreens(bench: Workbench, options: Options): Promise<ScreenResults> {
  const browser = await openBrowser(bench, options.chromium);
  const results: ScreenResults['screens'] = [];
  for (const path of screens) {
    bench.step(fr`écran ${path}`);
    const times: number[] = [];
    const longest: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      options.signal.throwIfAborted();
      const result = await measureScreen(browser, options, path);
      times.push(result.interactive);
      longest.push(result.longest);
    }
    results.push({
      path,
      interactiveMs: median(times),
      longestMs: Math.max(...longest),
      light: await findAxeFaults(browser, options, path, 'light'),
      dark: await findAxeFaults(browser, options, path, 'dark'),
    });
  }
  bench.step(fr`recherche dans la palette`);
  const paletteMs = await measureSearch(browser, options);
  await browser.close();
  return { screens: results, paletteMs };
}

async function openPage(browser: Browser, options: Options, path: string, theme = 'light'): Promise<Page> {
  const { address, token, signal } = options;
  const context = await browser.newContext({ locale: 'fr-FR', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(`localStorage.setItem('access_token', ${JSON.stringify(token)});
    localStorage.setItem('theme', ${JSON.stringify(theme)});`);
  await page.addInitScript(readWatch());
  await page.goto(`${address}${path}`);
  // The browser protocol evaluates this text. The page itself forbids evaluation of text.
  const isUsable = () => page.evaluate<boolean>('window.vigieSeen.interactive !== null');
  if (!(await waitFor(isUsable, { timeoutMs, everyMs: 20, signal }))) throw new Error(`${path} did not become usable`);
  return page;
}

async function measureScreen(browser: Browser, options: Options, path: string) {
  const page = await openPage(browser, options, path);
  await page.waitForTimeout(backgroundMs);
  const results = await page.evaluate<{ interactive: number; longest: number }>('window.vigieSeen');
  await page.context().close();
  return results;
}

/**
 * Returns the violated rules of axe and their counts. The browser protocol injects axe, because the page itself
 * forbids foreign scripts.
 */
async function findAxeFaults(browser: Browser, options: Options, path: string, theme: string): Promise<string[]> {
  const page = await openPage(browser, options, path, theme);
  await page.evaluate(readAxe());
  const faults = await page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} × ${nodes.length} : ${nodes[0].target}`))',
  );
  await page.context().close();
  return faults;
}

/**
 * Measures the time from the last letter to the first result of the palette, including the pause before the request.
 */
async function measureSearch(browser: Browser, options: Options): Promise<number> {
  const page = await openPage(browser, options, '/uploads');
  const times: number[] = [];
  for (const word of ['mairie', 'musee 12', 'boutique 4', 'web-7 exemple', 'editions'].slice(0, options.rounds)) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Rechercher un site' }).waitFor();
    const startedAt = performance.now();
    await page.keyboard.insertText(word);
    await page
      .getByRole('group', { name: /^(?:Sites|Serveurs)$/ })
      .first()
      .waitFor();
    times.push(performance.now() - startedAt);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Rechercher un site' }).waitFor({ state: 'detached' });
  }
  await page.context().close();
  return median(times);
}
