import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { root } from '../start/env';
import { waitFor } from '../start/wait';
import { fr } from '../terminal';
import { openBrowser } from './browser';
import { screens } from './fleet-endpoints';
import { measure, type Measure } from './measure';
import { aim, milliseconds, number, verdict } from './report';
import { median, sum } from './statistics';
import type { Workbench } from './workbench';

type Options = { address: string; token: string; chromium: string; rounds: number; signal: AbortSignal };

/** Pages fetch data in the background during this time after they are usable. */
const backgroundMs = 2_000;
const timeoutMs = 20_000;

const legend = fr`
  Utilisable : de la navigation, cache vide, jusqu’au premier moment libre du fil principal où l’écran a son titre et rien
  ne se charge plus dans son contenu ; médiane. La plus longue tâche du fil principal est celle de toutes les visites,
  deux secondes au-delà. DNS n’a pas de compte Cloudflare ici : c’est sa configuration qui est mesurée.`;

const readWatch = () => readFileSync(join(root, 'tools/bench/page/watch.js'), 'utf8');
const readAxe = () => readFileSync(createRequire(join(root, 'package.json')).resolve('axe-core/axe.min.js'), 'utf8');

/** The screens, each opened in a new window with an empty cache, their accessibility, and the palette. */
export async function screenMeasures(bench: Workbench, options: Options): Promise<Measure[]> {
  const browser = await openBrowser(bench, options.chromium);
  const forEach = <S>(run: (path: string) => Promise<S>) =>
    Object.fromEntries(screens.map((path) => [path, { name: path, run: () => run(path) }]));
  return [
    measure({
      title: fr`Écrans dans Chromium, sur le grand parc`,
      contenders: forEach((path) => measureScreen(browser, options, path)),
      rounds: options.rounds,
      isInSequence: true,
      summarize: (samples) => ({
        interactiveMs: median(samples.map(({ interactive }) => interactive)),
        longestMs: Math.max(...samples.map(({ longest }) => longest)),
      }),
      columns: () => [
        ['utilisable', ({ interactiveMs }) => milliseconds(interactiveMs)],
        [fr`visée < 1 s`, ({ interactiveMs }) => verdict(interactiveMs < 1_000)],
        ['plus longue tâche', ({ longestMs }) => (longestMs === 0 ? '< 50 ms' : milliseconds(longestMs))],
        [fr`visée ≤ 200 ms`, ({ longestMs }) => verdict(longestMs <= 200)],
      ],
      note: legend,
    }),
    measure({
      title: fr`Règles d’axe-core enfreintes`,
      contenders: forEach(async (path) => ({
        light: await findAxeFaults(browser, options, path, 'light'),
        dark: await findAxeFaults(browser, options, path, 'dark'),
      })),
      columns: () => [
        ['axe clair', ({ light }) => `${light.length}`],
        ['axe sombre', ({ dark }) => `${dark.length}`],
      ],
      lines: (results) => {
        const all = Object.values(results).map(({ name, light, dark }) => ({ name, faults: [...light, ...dark] }));
        return [
          ...all.flatMap(({ name, faults }) => [...new Set(faults)].map((fault) => fr`${name} : ${fault}`)),
          aim(fr`règles enfreintes`, sum(all.map(({ faults }) => faults.length)), '≤', 0, number),
        ];
      },
    }),
    measure({
      title: fr`Palette, de la dernière lettre au premier nom`,
      contenders: { search: { name: fr`recherche`, run: async () => ({ ms: await measureSearch(browser, options) }) } },
      columns: () => [['temps', ({ ms }) => milliseconds(ms)]],
    }),
  ];
}

type Session = Pick<Options, 'address' | 'token' | 'signal'>;

/** Opens a screen in a new window with an empty cache, and resolves once it is usable. */
async function openPage(browser: Browser, session: Session, path: string, theme = 'light'): Promise<Page> {
  const { address, token, signal } = session;
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

export async function measureScreen(browser: Browser, session: Session, path: string) {
  const page = await openPage(browser, session, path);
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
