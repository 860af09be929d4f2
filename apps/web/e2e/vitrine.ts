import { type Download, expect, type Page } from '@playwright/test';
import { test as base } from './fleets';
import { longTimeout } from './fixtures';
import { bearer } from './people';

type RegisteredSite = { id: string; path: string };
type Fixtures = { vitrine: RegisteredSite };

/** `vitrine` is a real site with one uploaded file and no backup. Vigie has not read it yet. */
export const test = base.extend<Fixtures>({
  vitrine: async ({ fleet, owner, makeServer, request }, use) => {
    const plainSite = fleet.site('plain');
    const { path, url } = plainSite;
    await fleet.runPhp(plainSite, `return file_put_contents(wp_upload_dir()['basedir'] . '/plan.txt', 'le plan');`);
    const server = await makeServer(fleet, {
      name: 'web-05',
      user: 'deploy',
      auth: { privateKeyPem: fleet.privateKey },
    });
    const data = { name: 'Vitrine', url, connection: { ssh: { server_id: server.id, wp_path: path } } };
    const created = await request.post('/api/sites', { data, headers: bearer(owner.token) });
    expect(created.status(), await created.text()).toBe(201);
    const { id }: { id: string } = await created.json();
    await use({ id, path });
    await fleet.runPhp(plainSite, `return array_map('unlink', glob(WP_CONTENT_DIR . '/ai1wm-backups/*.wpress'));`);
  },
});

export const section = (page: Page) => page.getByRole('region', { name: 'Sauvegardes' });
export const rows = (page: Page) =>
  section(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') });
export const row = (page: Page, location: 'Distant' | 'Local', name = '') =>
  rows(page)
    .filter({ has: page.getByRole('cell', { name: location, exact: true }) })
    .filter({ hasText: name });
export const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });

export async function createBackup(page: Page, name = 'Créer une sauvegarde'): Promise<string> {
  const button = page.getByRole('main').getByRole('button', { name });
  await expect(section(page).getByText(/\d\ssauvegardes? ·/)).toBeVisible();
  const before = await row(page, 'Distant').count();
  await button.click();
  await expect(button).toBeDisabled();
  await expect(row(page, 'Distant')).toHaveCount(before + 1, longTimeout);
  await expect(button).toBeEnabled(longTimeout);
  return row(page, 'Distant')
    .first()
    .getByText(/\.wpress$/)
    .innerText();
}

/** Vigie copies the archive of the host, then the browser downloads it. */
export async function downloadFromHost(page: Page, name: string, beforeEnd = async () => {}): Promise<Download> {
  const downloadEvent = page.waitForEvent('download', longTimeout);
  const copyRequest = page.waitForResponse(/\/download$/);
  await section(page)
    .getByRole('button', { name: `Télécharger ${name} de l’hôte` })
    .click();
  await copyRequest;
  await beforeEnd();
  const download = await downloadEvent;
  await expect(row(page, 'Local', name)).toBeVisible(longTimeout);
  return download;
}
