import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '@vigie/contracts/groups';
import type { Server } from '@vigie/contracts/servers';
import type { SiteItem } from '@vigie/contracts/sites';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet } from '@vigie/testing/fleet/machine';
import { admin, TestProduct } from '@vigie/testing/product';
import { readSettings } from '../env';
import { Api } from './api';
import { offerBrokenUpdate } from './broken-update';
import { register } from './register';

const describeFleet = onFleet(describe);

describeFleet('the demonstration', () => {
  let fleet: Fleet;
  let product: TestProduct;
  let api: Api;
  const logLines: string[] = [];
  const log = (line: string) => logLines.push(line);

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'broken', 'other-owner'] });
    const env = { VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url };
    product = await TestProduct.start(['auth-svc', 'sites-svc', 'ssh-agent', 'gateway'], env);
    const settings = readSettings({ VIGIE_HOME: product.home });
    writeFileSync(join(product.home, 'first-admin.json'), JSON.stringify(admin));
    const logged = await Api.login(product.gateways[0] ?? '', settings);
    if (!logged) throw new Error('no login');
    api = logged;
  });
  afterAll(async () => {
    await product?.stop();
    await fleet?.close();
  });

  const readAll = async () => ({
    sites: await api.get<SiteItem[]>('/api/sites'),
    servers: await api.get<Server[]>('/api/servers'),
    groups: await api.get<Group[]>('/api/groups'),
  });

  it('registers a fleet once, and checks its sites', async () => {
    await offerBrokenUpdate([fleet], 'plain');
    await offerBrokenUpdate([fleet], 'plain');
    await register(api, [fleet], log);
    const { sites, servers, groups } = await readAll();
    expect(servers.map(({ name, sites_count }) => [name, sites_count])).toEqual([['démo-brest', 3]]);
    expect(groups.map(({ name, sitesCount }) => [name, sitesCount])).toEqual([
      ['Curiosités', 1],
      ['Vitrines', 2],
    ]);
    const updates = { core: 1, plugins: 4, themes: 1 };
    expect(sites.map(({ name, status, http, updates: available }) => [name, status, http?.code, available])).toEqual([
      ['Boulangerie Le Fournil', 'warning', 200, { ...updates, plugins: 5 }],
      ['Camping des Dunes', 'warning', 200, updates],
      ['Garage Kerleo (en panne)', 'error', 500, null],
    ]);
    expect(logLines.at(-1)).toMatch(/^1[2-9] mises à jour attendent/);

    await register(api, [fleet], log);
    expect(logLines.at(-1)).toBe('La flotte de démonstration est enregistrée déjà.');
    const again = await readAll();
    expect([again.sites.length, again.servers.length, again.groups.length]).toEqual([3, 1, 2]);
  });

  it('cannot log in after the first administrator changed the password', async () => {
    const settings = readSettings({
      VIGIE_HOME: '/nonexistent',
      VIGIE_ADMIN_EMAIL: admin.email,
      VIGIE_ADMIN_PASSWORD: 'autre',
    });
    expect(await Api.login(product.gateways[0] ?? '', settings)).toBeUndefined();
    expect(await Api.login(product.gateways[0] ?? '', { ...settings, env: {} })).toBeUndefined();
  });
});
