import { stat } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Backup } from '@vigie/contracts/backups';
import { restoreWord } from '@vigie/contracts/restores';
import { fr } from '../terminal';
import { type Demonstration, findJob, stateOf } from './demonstration';
import { workTimeoutMs } from './operator';
import { dockLine, region, siteTab, toasts, type UsualJob } from './usual-jobs';

/** The newest backup on the host stands first. */
const firstButton = (page: Page, action: string) =>
  region(page, 'Sauvegardes')
    .getByRole('button', { name: new RegExp(`^${action} .* de l’hôte$`) })
    .first();

const onSite = (demonstration: Demonstration) => ({
  screen: fr`page du site`,
  path: `/sites/${demonstration.site.id}`,
  ready: (page: Page) => siteTab(page, 'Sauvegardes'),
});

const backUp = (demonstration: Demonstration): UsualJob => ({
  ...onSite(demonstration),
  name: fr`sauvegarder`,
  run: async (operator) => {
    const { page } = operator;
    await operator.click(page.getByRole('main').getByRole('button', { name: 'Sauvegarder', exact: true }));
    await operator.waitAccepted(dockLine(page, /^Sauvegarde · /));
    await operator.waitEnded(toasts(page).getByText('Sauvegarde créée'));
  },
  check: async (since) => stateOf(await findJob(demonstration, 'backups.create', since)),
});

const download = (demonstration: Demonstration): UsualJob => {
  let bytes = 0;
  return {
    ...onSite(demonstration),
    name: fr`télécharger la sauvegarde`,
    run: async (operator) => {
      const { page } = operator;
      const file = page.waitForEvent('download', { timeout: workTimeoutMs });
      await operator.click(siteTab(page, 'Sauvegardes'));
      await operator.click(firstButton(page, 'Télécharger'));
      await operator.waitAccepted(dockLine(page, /^Téléchargement · /));
      const path = await (await file).path();
      operator.noteEnded();
      bytes = (await stat(path)).size;
    },
    check: async (since) => {
      const backups = await demonstration.api.get<Backup[]>(`/api/sites/${demonstration.site.id}/backups`);
      if (!backups.some(({ location, size }) => location === 'Distant' && size === bytes))
        return fr`aucune sauvegarde de l’hôte n’a ${bytes} octets, comme le fichier reçu`;
      return stateOf(await findJob(demonstration, 'backups.download', since));
    },
  };
};

const restore = (demonstration: Demonstration): UsualJob => ({
  ...onSite(demonstration),
  name: fr`restaurer`,
  run: async (operator) => {
    const { page } = operator;
    await operator.click(siteTab(page, 'Sauvegardes'));
    await operator.click(firstButton(page, 'Restaurer'));
    await operator.click(page.getByRole('dialog').getByRole('textbox', { name: /^Tapez / }));
    await operator.type(restoreWord);
    await operator.press('Enter');
    await operator.waitAccepted(dockLine(page, /^Restauration · /));
    await operator.waitEnded(toasts(page).getByText(' depuis '));
  },
  check: async (since) => stateOf(await findJob(demonstration, 'backups.restore', since)),
});

export const backupJobs = (demonstration: Demonstration): UsualJob[] =>
  [backUp, download, restore].map((job) => job(demonstration));
