import { expect, type Page } from '@playwright/test';
import { expectNoDialogFaults, expectNoPageFaults } from './axe';
import { makeSite, test } from './machines';

const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
const watch = (page: Page) => page.getByRole('region', { name: 'Surveillance' });
const inAnHour = /En maintenance jusqu’(à|au) /;

async function endMaintenance(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Terminer la maintenance' }).click();
  const question = page.getByRole('dialog', { name: 'Terminer cette maintenance\u202f?' });
  await expectNoDialogFaults(question);
  await question.getByRole('button', { name: 'Terminer' }).click();
  await expect(question).toHaveCount(0);
}

test('a site must show a text, and a maintenance of it or of its group begins, is planned and ends', async ({
  ownerPage: page,
  owner,
}) => {
  const id = await makeSite(page, owner, 'Vitrine');
  await page.goto(`/sites/${id}`);

  await test.step('a text and an address are expected, and shown once they are stored', async () => {
    await expect(watch(page)).toContainText('Vigie vérifie que le site répond.');
    await page.getByRole('button', { name: 'Modifier les attentes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ce que Vitrine doit montrer' });
    await dialog.getByLabel('Adresse d’arrivée').fill('ftp://vitrine.fr');
    await dialog.getByLabel('Texte attendu').fill('Bienvenue à bord');
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(dialog.getByLabel('Adresse d’arrivée')).toBeFocused();
    await expectNoDialogFaults(dialog);
    await dialog.getByLabel('Adresse d’arrivée').fill('https://vitrine.fr/accueil');
    await dialog.getByRole('button', { name: 'Enregistrer' }).click();
    await expect(toasts(page)).toContainText('Attentes enregistrées.');
    await expect(watch(page)).toContainText('Bienvenue à bord');
    await expect(watch(page)).toContainText('https://vitrine.fr/accueil');
  });

  const plan = page.getByRole('button', { name: 'Prévoir une maintenance' });
  const dialog = page.getByRole('dialog', { name: 'Maintenance de Vitrine' });
  const submit = dialog.getByRole('button', { name: 'Prévoir', exact: true });

  await test.step('an hour of maintenance begins, and the uptime says so', async () => {
    await plan.click();
    await dialog.getByLabel('Note').fill('Nouveau thème');
    await submit.click();
    await expect(toasts(page)).toContainText('Maintenance commencée.');
    await expect(watch(page)).toContainText('Nouveau thème');
    await expect(watch(page)).toContainText(inAnHour);
    await expect(page.getByRole('region', { name: 'Disponibilité' })).toContainText(inAnHour);
    await expectNoPageFaults(page, 'Vitrine');
    await endMaintenance(page);
    await expect(watch(page)).toContainText('Aucune maintenance prévue.');
  });

  await test.step('one is planned between two dates, and one each week', async () => {
    await plan.click();
    await dialog.getByLabel('Quand').selectOption({ label: 'D’une date à une autre' });
    const year = new Date().getFullYear() + 1;
    await dialog.getByLabel('Début').fill(`${year}-03-03T14:00`);
    await dialog.getByLabel('Fin').fill(`${year}-03-03T13:00`);
    await submit.click();
    await expect(dialog).toContainText('La maintenance doit finir après son début.');
    await dialog.getByLabel('Fin').fill(`${year}-03-03T16:30`);
    await submit.click();
    await expect(watch(page)).toContainText('Le 3\u00a0mars à 14:00, pendant 2\u00a0h\u00a030');
    await plan.click();
    await dialog.getByLabel('Quand').selectOption({ label: 'Chaque semaine' });
    await submit.click();
    await expect(dialog.getByRole('alert')).toContainText('Choisissez au moins un jour de la semaine.');
    await dialog.getByRole('checkbox', { name: 'lundi' }).check();
    await dialog.getByLabel('À partir de').fill('02:30');
    await dialog.getByLabel('Durée').selectOption({ label: '30\u00a0min' });
    await expectNoDialogFaults(dialog);
    await submit.click();
    const weekly = 'Chaque lundi à 02:30, pendant 30\u00a0min';
    await expect(watch(page)).toContainText(weekly);
    await watch(page)
      .getByRole('listitem')
      .filter({ hasText: weekly })
      .getByRole('button', { name: 'Supprimer la maintenance' })
      .click();
    const question = page.getByRole('dialog', { name: 'Supprimer cette maintenance\u202f?' });
    await question.getByRole('button', { name: 'Supprimer' }).click();
    await expect(toasts(page)).toContainText('Maintenance supprimée.');
    await expect(watch(page)).not.toContainText(weekly);
  });

  await test.step('a group says how often its sites are visited, and when they are in maintenance', async () => {
    await page.goto('/groups?add=true');
    const form = page.getByRole('dialog', { name: 'Nouveau groupe' });
    await form.getByLabel('Nom').fill('Clients');
    await form.getByLabel('Visites de ses sites').selectOption({ label: 'Chaque heure' });
    await form.getByRole('button', { name: 'Créer le groupe' }).click();
    await page.getByRole('button', { name: 'Modifier Clients' }).click();
    const edit = page.getByRole('dialog', { name: 'Modifier le groupe' });
    await expect(edit.getByLabel('Visites de ses sites')).toHaveValue('60');
    await edit.getByRole('button', { name: 'Annuler' }).click();
    const maintain = page.getByRole('button', { name: 'Maintenance de Clients' });
    await maintain.click();
    const ofGroup = page.getByRole('dialog', { name: 'Maintenance de Clients' });
    await ofGroup.getByLabel('Quand').selectOption({ label: 'Pendant 2\u00a0heures' });
    await ofGroup.getByRole('button', { name: 'Prévoir', exact: true }).click();
    await expect(ofGroup).toHaveCount(0);
    await maintain.click();
    await expectNoDialogFaults(ofGroup);
    await endMaintenance(page);
    await expect(ofGroup).toContainText('Aucune maintenance prévue.');
    await ofGroup.getByRole('button', { name: 'Annuler' }).click();
  });
});
