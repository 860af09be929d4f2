import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addFleet } from '@vigie/testing/change-stage';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet, fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { withoutDispatch } from '@vigie/testing/ledger';
import { archivesIn, backupsOf } from '@vigie/testing/packs';
import { TestProduct } from '@vigie/testing/product';
import { pauseRestore } from '@vigie/testing/restores';
import { until } from '@vigie/testing/until';

const itOnFleet = onFleet(it);

let fleet: Fleet;
let product: TestProduct;
let token: string;
let id: string;
let folder: string;

beforeAll(async () => {
  if (fleetUnavailableReason()) return;
  fleet = await Fleet.start({ kinds: ['plain'] });
  folder = backupsOf(contentOf(fleet.site('plain')));
  const env = { VIGIE_SSH_ALLOW: '127.0.0.0/8', VIGIE_HTTP_ALLOW: '127.0.0.0/8' };
  product = await TestProduct.start(['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'], env);
  token = await product.login();
  id = (await addFleet(fleet, product, token)).ids.get(fleet.site('plain').path) ?? '';
});
afterAll(async () => {
  await product?.stop();
  await fleet?.close();
});

const ask = (method: string, rest: string, body?: object) =>
  product.request(method, `/api/sites/${id}/backups${rest}`, { token, ...(body && { body }) });

/** Waits for the job to end, and returns its result. */
async function waitForResult(rest: string, body: object = {}): Promise<Record<string, unknown>> {
  const { status, body: answer, text } = await ask('POST', rest, body);
  if (status === 200) return answer;
  if (status !== 202) throw new Error(`${status} ${text}`);
  let job: Record<string, unknown> = {};
  await until(async () => {
    job = (await product.request('GET', `/api/jobs/${String(answer['job_id'])}`, { token })).body;
    return job['finished_at'] !== null;
  });
  if (job['state'] !== 'succeeded') throw new Error(JSON.stringify(job['error']));
  return Object(job['result']);
}
const listed = async () => (await ask('GET', '')).body as unknown as Record<string, unknown>[];

itOnFleet('creates, downloads, reads, imports and deletes a backup of a real site', async () => {
  const created = await waitForResult('');
  const filename = String(created['filename']);
  const bytes = readFileSync(join(folder, filename));
  expect(created).toMatchObject({
    size: bytes.length,
    storage: 'wp-content/ai1wm-backups',
    location: 'Distant',
    missed: 0,
  });
  expect((await ask('GET', '/info')).body).toMatchObject({ remoteBackupsDir: folder, remoteTmpDir: folder });
  // Names that only the host has, and that could break a command.
  writeFileSync(join(folder, 'deposee.wpress'), 'x');
  writeFileSync(join(folder, 'à côté.wpress'), 'x');
  writeFileSync(join(folder, '.vigie-a.part'), 'x');
  const usable = (await listed()).map(({ filename: name, is_usable: isUsable }) => [name, isUsable]);
  expect(Object.fromEntries(usable)).toEqual({ [filename]: true, 'deposee.wpress': true, 'à côté.wpress': false });
  expect((await ask('DELETE', '/deposee.wpress')).status).toBe(204);
  expect((await ask('DELETE', '/deposee.wpress')).status).toBe(404);
  expect(existsSync(join(folder, 'deposee.wpress'))).toBe(false);

  expect(await waitForResult(`/${filename}/verify`)).toMatchObject({ by: 'vigie', size: bytes.length });
  expect(await waitForResult(`/${filename}/download`)).toMatchObject({ local: filename, size: bytes.length });
  expect(await waitForResult(`/${filename}/verify`, { location: 'local' })).toMatchObject({ by: 'vigie' });
  const both = (await listed()).filter(({ filename: name }) => name === filename);
  expect(both).toMatchObject([
    { location: 'Distant', size: bytes.length, verified: { by: 'vigie' } },
    { location: 'Local', size: bytes.length, verified: { by: 'vigie' }, createdAt: both[0]?.['createdAt'] },
  ]);
  const { body: site } = await product.request('GET', `/api/sites/${id}`, { token });
  expect(Date.parse(String(site['last_backup_at']))).toBeGreaterThan(Date.now() - 600_000);
  expect(await waitForResult('/import', { filename })).toMatchObject({ filename });
  expect((await ask('DELETE', `/${filename}`)).status).toBe(204);
  expect(existsSync(join(folder, filename))).toBe(false);
  expect(await waitForResult('/import', { filename })).toMatchObject({ filename, size: bytes.length });
  expect(readFileSync(join(folder, filename)).equals(bytes)).toBe(true);
  expect((await ask('DELETE', `/${filename}?location=local`)).status).toBe(204);
  expect((await listed()).map(({ location }) => location)).toEqual(['Distant', 'Distant']);
  // An archive that is sent back keeps its date.
  const back = (await listed()).find(({ filename: name }) => name === filename);
  expect(back).toMatchObject({ createdAt: both[0]?.['createdAt'] });
  const { rows } = await product.database.query('select modified_at from sites.remote_backups where filename = $1', [
    filename,
  ]);
  expect(rows).toEqual([{ modified_at: new Date(String(both[0]?.['createdAt'])) }]);
});

itOnFleet('does not restore a site when the restore is cancelled before the swap', async () => {
  const site = fleet.site('plain');
  const title = `from ${site.prefix}options where option_name = 'blogname'`;
  const { filename } = (await waitForResult('')) as { filename: string };
  const archives = archivesIn(folder);
  await fleet.query(site, `update ${site.prefix}options set option_value = 'Après' where option_name = 'blogname'`);
  // The restore waits for this lock.
  const { jobId, freeAfterCurrent: resume } = await withoutDispatch(product.database, async () => {
    const { body } = await product.request('POST', `/api/sites/${id}/backups/${filename}/restore`, {
      token,
      headers: { prefer: 'respond-async' },
      body: { confirm: 'RESTORE' },
    });
    const requestedId = String(body['job_id']);
    return { jobId: requestedId, ...(await pauseRestore(fleet, site, requestedId)) };
  });
  const now = async () => (await product.request('GET', `/api/jobs/${jobId}`, { token })).body;
  await until(async () => JSON.stringify((await now())['progress']).includes('Base de données'));
  const resumed = resume();
  expect((await product.request('POST', `/api/jobs/${jobId}/cancel`, { token })).status).toBeLessThan(300);
  await resumed;
  let state: unknown;
  await until(async () => {
    state = (await now())['state'];
    return state === 'cancelled' || state === 'succeeded' || state === 'failed';
  });
  expect(state).toBe('cancelled');
  expect(await fleet.query(site, `select option_value ${title}`)).toEqual([['Après']]);
  expect([archivesIn(folder), (await fetch(site.url)).status]).toEqual([archives, 200]);
  expect(readdirSync(contentOf(site)).filter((name) => name.startsWith('.vigie'))).toEqual([]);
});
