import { stripVTControlCharacters } from 'node:util';
import type { Browser, BrowserContext } from '@playwright/test';
import { launchBrowser, requireChromium } from '../bench/browser';
import { measureScreen } from '../bench/fleet-browser';
import { describeMachine } from '../bench/machine';
import { aim, preciseSeconds, printTable } from '../bench/report';
import { median } from '../bench/statistics';
import { readSettings } from '../start/env';
import { fr, reasonOf } from '../terminal';
import { runTrial, step } from '../trials';
import { backupJobs } from './backup-jobs';
import { type Demonstration, openDemonstration, undo } from './demonstration';
import { Operator } from './operator';
import { otherJobs } from './other-jobs';
import { updateJobs } from './update-jobs';
import type { UsualJob } from './usual-jobs';

const help = fr`Fait les douze tâches habituelles dans un vrai navigateur, sur une démonstration qui tourne (npm run demo) : compte les clics
et les secondes de chacune, puis mesure le premier affichage.

  npm run clicks [-- MOTS]

  MOTS   les seules tâches dont le nom contient un de ces mots, sans mesurer le premier affichage

Donnez à la commande les mêmes VIGIE_HOME, HOST et PORT qu’à la démonstration, avec ou sans le grand parc de npm run seed. À
la fin, elle revient en arrière sur les mises à jour et casse de nouveau le site cassé ; les sauvegardes restent.

Les secondes vont du premier clic jusqu’à ce que l’écran dise la tâche acceptée, ou montre ce qui était cherché, puis jusqu’à
ce qu’il dise le travail terminé. Le code de sortie est 1 si une tâche demande plus de trois clics, ou n’a pas pu être faite.
`;

const maxClicks = 3;
const rounds = 5;
/** How long a screen may take to show what is waited for. */
const timeoutMs = 30_000;
const windowOptions = { locale: 'fr-FR', viewport: { width: 1440, height: 900 } };

type Result = { job: UsualJob; operator: Operator; failure: string | undefined };

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.some((arg) => arg.startsWith('-'))) {
    console.log(help);
    return args.includes('--help') || args.includes('-h') ? 0 : 1;
  }
  const executablePath = requireChromium();
  const settings = readSettings();
  describeMachine();
  step(fr`Cherche les sites de la démonstration…`);
  const demonstration = await openDemonstration(`http://${settings.host}:${settings.port}`, settings);
  const browser = await launchBrowser(executablePath);
  try {
    const loads = args.length === 0 ? await measureLoads(browser, demonstration, signal) : [];
    const results = await runJobs(browser, { demonstration, words: args, signal });
    printResults(results);
    for (const line of loads) console.log(`  ${line}`);
    return results.every(({ operator: { clicks }, failure }) => failure === undefined && clicks <= maxClicks) ? 0 : 1;
  } finally {
    await browser.close();
    step(fr`Revient en arrière…`);
    await undo(demonstration);
  }
}

async function measureLoads(browser: Browser, demonstration: Demonstration, signal: AbortSignal): Promise<string[]> {
  const { address, api, site } = demonstration;
  const session = { address, token: api.token, signal };
  const measureLoad = async (path: string) => {
    const times: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      step(fr`${path}, cache vide, tour ${round} sur ${rounds}`);
      times.push((await measureScreen(browser, session, path)).interactive);
    }
    return median(times);
  };
  return [
    aim(fr`Dashboard, cache vide, médiane de ${rounds}`, await measureLoad('/'), '≤', 1_500, preciseSeconds),
    aim(
      fr`Site ouvert par son adresse, cache vide, médiane de ${rounds}`,
      await measureLoad(`/sites/${site.id}`),
      '≤',
      1_000,
      preciseSeconds,
    ),
  ];
}

/** Opens a window whose person is logged in. */
async function openContext(browser: Browser, { address }: Demonstration, stored: Record<string, string>) {
  const context = await browser.newContext({ ...windowOptions, baseURL: address });
  context.setDefaultTimeout(timeoutMs);
  const stores = Object.entries(stored).map((entry) => `localStorage.setItem(...${JSON.stringify(entry)});`);
  await context.addInitScript(stores.join('\n'));
  return context;
}

type Run = { demonstration: Demonstration; words: readonly string[]; signal: AbortSignal };

async function runJobs(browser: Browser, { demonstration, words, signal }: Run): Promise<Result[]> {
  const openAsColleague = async (path: string) => {
    const stored = { access_token: demonstration.colleague.token, is_admin: 'true', admin_mode: '1' };
    const context = await openContext(browser, demonstration, stored);
    const page = await context.newPage();
    await page.goto(path);
    return { page, close: () => context.close() };
  };
  const { find, rest } = otherJobs(demonstration, openAsColleague);
  const all = [find, ...updateJobs(demonstration), ...backupJobs(demonstration), ...rest];
  const jobs = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const context = await openContext(browser, demonstration, { access_token: demonstration.api.token });
  const results: Result[] = [];
  for (const [index, job] of jobs.entries()) {
    signal.throwIfAborted();
    step(fr`${index + 1} sur ${jobs.length} : ${job.name}`);
    results.push(await runJob(context, job));
  }
  return results;
}

async function runJob(context: BrowserContext, job: UsualJob): Promise<Result> {
  const page = await context.newPage();
  const operator = new Operator(page);
  const since = Date.now();
  const run = async () => {
    await page.goto(job.path);
    await job.ready(page).waitFor();
    await page.waitForLoadState('networkidle');
    await job.run(operator);
    return job.check(since);
  };
  const failure = await run().catch((error: unknown) => stripVTControlCharacters(reasonOf(error)));
  await page.close();
  return { job, operator, failure };
}

const secondsOf = (ms: number | undefined) => (ms === undefined ? '—' : preciseSeconds(ms));

function verdictOf({ operator: { clicks }, failure }: Result): string {
  if (failure !== undefined) return fr`pas faite`;
  return clicks > maxClicks ? fr`trop de clics` : 'tenue';
}

function printResults(results: readonly Result[]): void {
  console.log(fr`\nLes douze tâches habituelles, à partir de l’écran où est leur objet`);
  printTable([
    ['tâche', 'depuis', 'clics', 'touches', fr`acceptée ou là`, 'terminée', fr`visée ≤ 3 clics`],
    ...results.map((result) => {
      const { job, operator } = result;
      const { clicks, keys, acceptedMs, endedMs } = operator;
      return [
        job.name,
        job.screen,
        `${clicks}`,
        `${keys}`,
        secondsOf(acceptedMs),
        secondsOf(endedMs),
        verdictOf(result),
      ];
    }),
  ]);
  for (const { job, failure } of results) if (failure !== undefined) console.log(`  ${job.name} : ${failure}`);
}

await runTrial((signal) => main(process.argv.slice(2), signal));
