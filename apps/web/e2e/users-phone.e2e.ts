import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { expectNoDialogFaults } from './axe';
import { anEmail, test } from './people';
import { expectNoOverflow, onPhone, phone } from './sizes';

test.describe('on a phone', () => {
  test.use(onPhone);

  test('accounts with long addresses fit the screen and can be edited', async ({ loggedIn: page, makePerson }) => {
    const familyName = randomUUID();
    for (const name of ['Zoé', 'Niels', 'Émile']) {
      await makePerson({ first_name: name, last_name: familyName, email: `${'long'.repeat(40)}.${anEmail()}` });
    }
    await page.goto(`/admin/users?q=${familyName}`);
    const cards = page.getByRole('main').getByRole('listitem');
    await expect(cards).toHaveCount(3);
    await expectNoOverflow(page);
    await page.getByLabel('Trier par').selectOption('Prénom');
    await expect(cards.first()).toContainText('Émile');
    await page.getByRole('button', { name: 'Trier dans l’ordre décroissant' }).tap();
    await expect(cards.first()).toContainText('Zoé');
    await page.getByRole('button', { name: 'Trier dans l’ordre croissant' }).tap();
    await cards.first().getByRole('button').tap();
    await expectNoOverflow(page);
    await page.getByLabel('Prénom', { exact: true }).fill('Zyad');
    await page.getByLabel('Nom', { exact: true }).focus();
    await expect(cards.last()).toContainText('Zyad');
    const roleField = cards.last().getByLabel('Rôle', { exact: true });
    await roleField.selectOption('Administrateur');
    await expect(roleField).toHaveValue('admin');
    await roleField.selectOption('Client');
    const roleDialog = page.getByRole('dialog', { name: /^Retirer les droits d’administration à Zyad/ });
    await expectNoDialogFaults(roleDialog, [phone]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Créer un compte' }).tap();
    await expect(page.getByRole('region', { name: 'Nouveau compte' })).toBeVisible();
    await expectNoOverflow(page);
  });
});
