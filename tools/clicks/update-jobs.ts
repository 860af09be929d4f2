import type { Page } from '@playwright/test';
import type { JobItem } from '@vigie/contracts/jobs';
import { fr } from '../terminal';
import { archive, type Demonstration, findJob, stateOf } from './demonstration';
import { dockLine, region, siteTab, toasts, type UsualJob } from './usual-jobs';

const plugin = 'Vitrine';
const items = (page: Page) => region(page, 'Plugins et thèmes');
const itemRow = (page: Page, name: string) =>
  items(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader').filter({ hasText: name }) });
/** The button of a plan says how many items it changes. */
const applyButton = (page: Page) => page.getByRole('dialog').getByRole('button', { name: /^Mettre à jour \d/ });

/** The demonstration has one update that breaks its site, and Vigie rolls it back. */
const maxRolledBack = 1;

function batchStateOf(job: JobItem | undefined): string | undefined {
  if (!job?.counts) return stateOf(job);
  const { total, succeeded, rolled_back: undone } = job.counts;
  if (succeeded + undone === total && undone <= maxRolledBack) return undefined;
  return fr`le serveur dit du lot : ${succeeded} réussies et ${undone} annulées sur ${total}`;
}

const updateOne = (demonstration: Demonstration): UsualJob => ({
  name: fr`mettre à jour un plugin`,
  screen: fr`page du site`,
  path: `/sites/${demonstration.site.id}`,
  ready: (page) => siteTab(page, 'Plugins et thèmes'),
  run: async (operator) => {
    const { page } = operator;
    await operator.click(siteTab(page, 'Plugins et thèmes'));
    await operator.click(itemRow(page, plugin).getByRole('button', { name: `Mettre à jour ${plugin}`, exact: true }));
    await operator.waitAccepted(dockLine(page, new RegExp(`^Mise à jour · .*${plugin}`)));
    await operator.waitEnded(itemRow(page, plugin).filter({ hasNotText: '→' }));
  },
  check: async (since) => stateOf(await findJob(demonstration, 'changes.update', since)),
});

const updateSite = (demonstration: Demonstration): UsualJob => {
  const { id, name } = demonstration.whole;
  const title = `Mise à jour · ${name}`;
  return {
    name: fr`mettre à jour tout un site`,
    screen: fr`page du site`,
    path: `/sites/${id}`,
    ready: (page) => page.getByRole('button', { name: /^Mettre à jour tout/ }),
    run: async (operator) => {
      const { page } = operator;
      await operator.click(page.getByRole('button', { name: /^Mettre à jour tout/ }));
      await operator.click(applyButton(page));
      await operator.waitAccepted(dockLine(page, title));
      await operator.waitEnded(toasts(page).getByText(title).first());
    },
    check: async (since) => batchStateOf(await findJob(demonstration, 'changes.update', since)),
  };
};

/** Finds exactly five sites once the site of the job before it has no update left, among 10,000 others too. */
const search = 'serveur:démo- groupe:Vitrines maj:oui';
const foundCount = 5;

const updateFive = (demonstration: Demonstration): UsualJob => ({
  name: fr`mettre à jour cinq sites`,
  screen: fr`liste des sites, où la recherche les a trouvés`,
  path: '/sites',
  ready: (page) => page.getByRole('row').nth(foundCount),
  run: async (operator) => {
    const { page } = operator;
    await operator.press('/');
    await operator.type(search);
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${foundCount}\\ssites$`) })
      .waitFor();
    await operator.click(page.getByRole('checkbox', { name: 'Sélectionner tous les sites affichés' }));
    await operator.click(page.getByRole('button', { name: 'Mettre à jour…' }));
    await operator.click(applyButton(page));
    await operator.waitAccepted(page.getByRole('link', { name: 'Voir la tâche de la dernière action groupée' }));
    await operator.waitEnded(page.getByRole('button', { name: 'Masquer ce résultat' }));
  },
  check: async (since) => batchStateOf(await findJob(demonstration, 'changes.update', since)),
});

const install = (demonstration: Demonstration): UsualJob => ({
  name: fr`installer une archive`,
  screen: fr`plugins du site`,
  path: `/sites/${demonstration.site.id}/plugins`,
  ready: (page) => itemRow(page, plugin),
  run: async (operator) => {
    const { page } = operator;
    const dialog = page.getByRole('dialog');
    await operator.click(items(page).getByRole('button', { name: 'Installer depuis les uploads', exact: true }));
    await operator.click(dialog.getByRole('radio', { name: archive }));
    await operator.click(dialog.getByRole('button', { name: 'Installer', exact: true }));
    await operator.waitAccepted(dockLine(page, /^Installation · /));
    await operator.waitEnded(toasts(page).getByText('Installation réussie'));
  },
  check: async (since) => stateOf(await findJob(demonstration, 'changes.install', since)),
});

export const updateJobs = (demonstration: Demonstration): UsualJob[] =>
  [updateOne, updateSite, updateFive, install].map((job) => job(demonstration));
