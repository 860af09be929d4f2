import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobItem } from '@vigie/contracts/jobs';
import { ChangeStage, leftoversOn, visitPage, versionOf } from '@vigie/testing/change-stage';
import { badVersion } from '@vigie/testing/fleet/bad-extensions';
import { onFleet, fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { versions } from '@vigie/testing/fleet/extensions';
import { pauseInspection } from '@vigie/testing/paused-inspections';
import type { Witness } from '@vigie/testing/fleet/witness';

let stage: ChangeStage;
let plainSites: FleetSite[];
let witnesses: Witness[];

const withFleet = onFleet(describe);
if (!fleetUnavailableReason()) {
  beforeAll(async () => {
    stage = await ChangeStage.start({ kinds: ['plain', 'broken', 'moved-content'], copies: 3 });
    plainSites = stage.fleet.sites.filter(({ kind }) => kind === 'plain');
    witnesses = plainSites.map((site) => stage.fleet.witness(site));
  });
  afterAll(() => stage?.stop());
}

const target = (number: number): FleetSite => {
  const site = plainSites[number];
  if (!site) throw new Error('there are fewer sites');
  return site;
};
const countActions = (witness: Witness | undefined, item: string) =>
  witness?.actions.filter(({ did, item: other }) => did === 'update' && other === item).length;
const lineOf = (lines: readonly JobItem[], site: FleetSite, slug: string) =>
  lines.find(({ site_id: id, item }) => id === stage.idOf(site) && item?.slug === slug);

/** Reports scans from before a change only after it: the site must show its new state. */
async function duringInspections<T>(site: FleetSite, change: () => Promise<T>): Promise<T> {
  const inventory = async () => {
    const { body } = await stage.ask('GET', `/sites/${stage.idOf(site)}`);
    return [body['wpCore'], body['plugins'], body['themes']];
  };
  const before = await inventory();
  const pausedInspections = await Promise.all(
    (['scan', 'inspect'] as const).map((depth) => pauseInspection(stage, site, depth)),
  );
  const changed = await change();
  const after = await inventory();
  expect(after).not.toEqual(before);
  for (const resume of pausedInspections) {
    await resume();
    expect(await inventory()).toEqual(after);
  }
  return changed;
}

withFleet('changes of real sites', () => {
  it('are made on all sites once, however often they are requested', async () => {
    const targets = plainSites.map((site) => stage.target(site, 'plugin.vitrine'));
    const [jobId, repeated] = await Promise.all([
      stage.startJob('/updates', { targets }),
      stage.startJob('/updates', { targets }),
    ]);
    expect(repeated).toBe(jobId);
    const lines = await stage.batchJobs(jobId);
    expect(lines.map(({ state, error }) => [state, error])).toEqual(plainSites.map(() => ['succeeded', null]));
    expect(witnesses.map((witness) => countActions(witness, 'vitrine/vitrine.php'))).toEqual([1, 1, 1, 1]);
    for (const site of plainSites) expect((await visitPage(site)).text).toContain('<!-- vitrine 1.3.0 -->');
    const { body } = await stage.ask('GET', `/sites/${stage.idOf(target(0))}`);
    expect(body['plugins']).toContainEqual(
      expect.objectContaining({ slug: 'vitrine', version: '1.3.0', hasUpdate: false }),
    );
  });

  it('that break a site are rolled back and named, and the others continue', async () => {
    const { wordpressOrg } = stage.fleet;
    const faults = ['fatal', 'front', 'blank', 'admin'] as const;
    for (const [number, fault] of faults.entries()) {
      const offers = new Map([['vitrine', { version: badVersion(versions.vitrine.offered, fault) }]]);
      wordpressOrg.pluginsOf.set(target(number).url, offers);
      await stage.refresh(target(number));
    }
    const targets = plainSites.flatMap((site) => [
      stage.target(site, 'plugin.vitrine'),
      stage.target(site, 'plugin.formulaire'),
    ]);
    const lines = await stage.batchJobs(await stage.startJob('/updates', { targets }));
    wordpressOrg.pluginsOf.clear();
    for (const [number, fault] of faults.entries()) {
      const site = target(number);
      expect([fault, lineOf(lines, site, 'formulaire')]).toMatchObject([fault, { state: 'succeeded' }]);
      expect([fault, lineOf(lines, site, 'vitrine')]).toMatchObject([
        fault,
        { state: 'failed', error: { code: 'rolled_back', message: expect.stringContaining('Vitrine') } },
      ]);
      const pages = [await visitPage(site), await visitPage(site, '/wp-login.php')];
      expect([fault, ...pages.map(({ code }) => code)]).toEqual([fault, 200, 200]);
      expect(pages[0]?.text).toContain('<!-- vitrine 1.3.0 -->');
      expect([versionOf(site, 'vitrine'), versionOf(site, 'formulaire'), leftoversOn(site)]).toEqual([
        '1.3.0',
        '2.1.0',
        [],
      ]);
    }
  });

  it('are not blamed for earlier problems', async () => {
    const site = stage.fleet.site('broken');
    const avarie = join(contentOf(site), 'plugins/avarie');
    renameSync(avarie, `${site.path}/avarie`);
    await stage.refresh(site);
    renameSync(`${site.path}/avarie`, avarie);
    expect(await stage.change(site, 'plugins/update', { slug: 'vitrine' })).toMatchObject({ state: 'succeeded' });
    expect([versionOf(site, 'vitrine'), (await visitPage(site)).code]).toEqual(['1.3.0', 500]);
  });

  it('install, activate and deactivate, and roll back what breaks the site', async () => {
    const site = target(3);
    const goodUpload = await stage.upload('sonde', '1.4.0');
    const badUpload = badVersion('1.4.0', 'fatal');
    await stage.upload('sonde', badUpload);
    const sites = { site_ids: [stage.idOf(site)], activate: true };
    const install = async () => stage.batchJobs(await stage.startJob(`/uploads/${goodUpload}/install`, sites));
    expect(await duringInspections(site, install)).toMatchObject([{ state: 'succeeded' }]);
    expect((await visitPage(site)).text).toContain('<!-- sonde 1.4.0 -->');
    const change = (verb: string) =>
      duringInspections(site, () => stage.change(site, `plugins/${verb}`, { slug: 'sonde' }));
    const deactivated = await change('deactivate');
    expect(deactivated).toMatchObject({ state: 'succeeded', result: { status: 'inactive' } });
    expect((await visitPage(site)).text).not.toContain('sonde');
    const activated = await change('activate');
    expect(activated).toMatchObject({ state: 'succeeded', result: { status: 'active' } });
    const failed = await stage.change(site, 'plugins/install', { filename: `sonde.${badUpload}.zip`, activate: true });
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'rolled_back' } });
    expect([versionOf(site, 'sonde'), (await visitPage(site)).code, leftoversOn(site)]).toEqual(['1.4.0', 200, []]);
    const actions = witnesses[3]?.actions.filter(({ item }) => item.startsWith('sonde')).map(({ did }) => did);
    expect(actions?.slice(0, 4)).toEqual(['install', 'activate', 'deactivate', 'activate']);
  });

  it('of WordPress itself copy its database, and touch nothing when the disk is full', async () => {
    const { fleet } = stage;
    const site = target(0);
    fleet.wordpressOrg.core = fleet.versions.migrating;
    await stage.refresh(site);
    const rollbackFolder = join(fleet.host.homeOf('deploy'), '.vigie/asides');
    mkdirSync(rollbackFolder, { recursive: true });
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700,uid=64001', 'vigie', rollbackFolder]);
    if (mount.status === 0) {
      const refused = await stage.change(site, 'core/update');
      spawnSync('umount', [rollbackFolder]);
      expect(refused).toMatchObject({ state: 'failed', error: { code: 'no_room' } });
      expect([(await visitPage(site)).code, leftoversOn(site)]).toEqual([200, []]);
    }
    expect(await duringInspections(site, () => stage.change(site, 'core/update'))).toMatchObject({
      state: 'succeeded',
      result: { from: fleet.versions.installed, to: fleet.versions.migrating },
    });
    expect(await fleet.runPhp(site, `return [get_bloginfo('version'), get_option('tides')];`)).toEqual([
      fleet.versions.migrating,
      '1',
    ]);
    expect(countActions(witnesses[0], 'wordpress')).toBe(1);
    expect((await visitPage(site)).code).toBe(200);
  });

  it('ask WordPress first when the stored state is uncertain', async () => {
    const site = stage.fleet.site('moved-content');
    const { database } = stage.product;
    await database.query('delete from sites.site_extensions where site_id = $1', [stage.idOf(site)]);
    const know = (state: string) =>
      database.query(`update sites.sites set mark = null, read_at = null, facts = ${state} where id = $1`, [
        stage.idOf(site),
      ]);
    await know('null');
    const updated = await duringInspections(site, () => stage.change(site, 'plugins/update', { slug: 'vitrine' }));
    expect(updated).toMatchObject({ state: 'succeeded', result: { from: '1.2.0', to: '1.3.0', name: 'Vitrine' } });
    expect(versionOf(site, 'vitrine')).toBe('1.3.0');
    // State as a scan of the wrong folder leaves it.
    await know(`facts || '{"depth": "scan", "needs_boot": ["computed_config"], "is_writable": false}'`);
    await database.query("update sites.site_extensions set status = 'inactive' where site_id = $1", [stage.idOf(site)]);
    const deactivated = await stage.change(site, 'plugins/deactivate', { slug: 'vitrine' });
    expect(deactivated).toMatchObject({ state: 'succeeded', result: { status: 'inactive' } });
    await know('null');
    const none = await stage.change(site, 'plugins/update', { slug: 'absente' });
    expect(none).toMatchObject({ state: 'failed', error: { code: 'refused_by_wordpress' } });
  });

  it('of a theme are made and shown', async () => {
    const site = target(2);
    const change = (verb: string, slug: string) => duringInspections(site, () => stage.change(site, verb, { slug }));
    expect(await change('themes/update', 'phare')).toMatchObject({ state: 'succeeded' });
    expect(await change('themes/activate', 'balise')).toMatchObject({ state: 'succeeded' });
  });

  it('report a missing licence, at once when it is known', async () => {
    const site = target(1);
    stage.fleet.wordpressOrg.licensed.add('boussole-pro');
    const refused = await stage.change(site, 'plugins/update', { slug: 'boussole-pro' });
    expect(refused).toMatchObject({ state: 'failed', error: { code: 'licence_required' } });
    expect([versionOf(site, 'boussole-pro'), leftoversOn(site)]).toEqual(['3.0.0', []]);
    const path = `/sites/${stage.idOf(site)}/plugins/update`;
    const repeated = await stage.ask('POST', path, { slug: 'boussole-pro' }, { prefer: 'respond-async' });
    expect([repeated.status, repeated.text]).toEqual([409, expect.stringContaining('licence requise')]);
  });
});
