import type { Page } from '@playwright/test';
import type { Console } from '@vigie/contracts/consoles';
import { Discovery } from '@vigie/contracts/site-discovery';
import type { Job } from '@vigie/contracts/jobs';
import { fr } from '../terminal';
import { type Demonstration, findJob, stateOf } from './demonstration';
import { dockLine, siteTab, type UsualJob } from './usual-jobs';

type OpenAsColleague = (path: string) => Promise<{ page: Page; close: () => Promise<void> }>;

const find = ({ site }: Demonstration): UsualJob => {
  let address = '';
  return {
    name: fr`trouver un site`,
    screen: fr`liste des sites`,
    path: '/sites',
    ready: (page) => page.getByRole('rowheader').first(),
    run: async (operator) => {
      const { page } = operator;
      await operator.click(page.getByRole('searchbox', { name: 'Rechercher un site' }));
      await operator.type(site.name.toLowerCase());
      await operator.click(page.getByRole('rowheader').getByRole('link', { name: site.name }));
      await operator.waitAccepted(page.getByRole('heading', { level: 1, name: site.name }));
      await siteTab(page, 'Sauvegardes').waitFor();
      address = page.url();
    },
    check: async () => (address.endsWith(`/sites/${site.id}`) ? undefined : fr`l’adresse est ${address}`),
  };
};

const repair = (demonstration: Demonstration): UsualJob => ({
  name: fr`réparer un site cassé`,
  screen: fr`page du site`,
  path: `/sites/${demonstration.broken.id}`,
  ready: (page) => page.getByRole('link', { name: 'Site cassé\u202f?' }),
  run: async (operator) => {
    const { page } = operator;
    await operator.click(page.getByRole('link', { name: 'Site cassé\u202f?' }));
    await operator.click(page.getByRole('button', { name: /^Mettre de côté le plugin .*…$/ }));
    await operator.click(page.getByRole('dialog').getByRole('button', { name: 'Mettre de côté', exact: true }));
    await operator.waitAccepted(dockLine(page, /^Réparation · /));
    await operator.waitEnded(page.getByText(/^Le plugin .* est mis de côté\.$/));
  },
  check: async (since) => {
    const { status } = await fetch(demonstration.broken.url);
    if (status !== 200) return fr`la page d’accueil répond ${status}`;
    return stateOf(await findJob(demonstration, 'site-repairs.apply', since));
  },
});

const openConsole = ({ api, site }: Demonstration): UsualJob => ({
  name: fr`ouvrir une console`,
  screen: fr`page du site`,
  path: `/sites/${site.id}`,
  ready: (page) => page.getByRole('main').getByRole('link', { name: 'Console' }),
  run: async (operator) => {
    const { page } = operator;
    await operator.click(page.getByRole('main').getByRole('link', { name: 'Console' }));
    await operator.waitAccepted(
      page.getByRole('region', { name: /^Console de/ }).getByText('Connecté', { exact: true }),
    );
  },
  check: async (since) => {
    const { items } = await api.get<{ items: Console[] }>('/api/consoles');
    const opened = items.filter(({ opened_at: openedAt }) => Date.parse(openedAt) >= since);
    for (const { id } of opened) await api.delete(`/api/consoles/${id}`);
    return opened.length > 0 ? undefined : fr`le serveur ne connaît pas cette console`;
  },
});

const discover = (demonstration: Demonstration): UsualJob => ({
  name: fr`découvrir les sites d’un serveur`,
  screen: fr`page du serveur`,
  path: `/servers/${demonstration.server.id}`,
  ready: (page) => page.getByRole('link', { name: 'Découvrir les sites' }),
  run: async (operator) => {
    const { page } = operator;
    await operator.click(page.getByRole('link', { name: 'Découvrir les sites' }));
    await operator.waitAccepted(dockLine(page, /^Découverte des sites · /));
    await operator.waitEnded(page.getByRole('dialog').getByText('Déjà dans Vigie').first());
  },
  check: async (since) => {
    const job = await findJob(demonstration, 'servers.discover', since);
    const failure = stateOf(job);
    if (failure !== undefined || !job) return failure;
    const { result } = await demonstration.api.get<Job>(`/api/jobs/${job.id}`);
    return Discovery.safeParse(result).data?.items.length ? undefined : fr`aucun site n’a été trouvé`;
  },
});

/** The address is copied by two keys: that of the address field, and that which copies it. */
const keysToCopy = 2;

/** A task is named by its kind and by what it works on. */
const titleOf = (page: Page) => page.getByRole('heading', { level: 1, name: ' · ' });

const share = ({ site }: Demonstration, openAsColleague: OpenAsColleague): UsualJob => {
  let titles: readonly string[] = [];
  return {
    name: fr`montrer une tâche à un collègue`,
    screen: fr`page du site, la tâche au bas`,
    path: `/sites/${site.id}`,
    ready: (page) => dockLine(page, ' · '),
    run: async (operator) => {
      const { page } = operator;
      await operator.click(dockLine(page, ' · '));
      await page.waitForURL(/\/tasks\/./);
      const title = await titleOf(page).innerText();
      operator.keys += keysToCopy;
      const colleague = await openAsColleague(new URL(page.url()).pathname);
      await operator.waitAccepted(titleOf(colleague.page));
      titles = [title, await titleOf(colleague.page).innerText()];
      await colleague.close();
    },
    check: async () => (titles[0] === titles[1] ? undefined : fr`le collègue voit « ${titles[1] ?? ''} »`),
  };
};

export const otherJobs = (demonstration: Demonstration, openAsColleague: OpenAsColleague) => ({
  find: find(demonstration),
  rest: [
    repair(demonstration),
    openConsole(demonstration),
    discover(demonstration),
    share(demonstration, openAsColleague),
  ],
});
