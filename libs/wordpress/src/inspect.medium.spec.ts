import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SiteState } from '@vigie/contracts/inventory';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { siteKinds, type SiteKind } from '@vigie/testing/fleet/kinds';
import { onFleet } from '@vigie/testing/fleet/machine';
import { logInAsHost } from '@vigie/testing/login';
import { discoverSites } from './discover';
import { diagnoseSite } from './diagnose';
import { SiteFailure } from './host';
import { inspectSite } from './inspect';
import { scanSites } from './scan';
import { SiteSteps } from './steps';

const describeFleet = onFleet(describe);
const php = '/usr/bin/php';
/** Reads plugins and themes through WordPress itself, independent of our code. */
const inventory = `
  require_once ABSPATH . 'wp-admin/includes/admin.php';
  $all = [];
  foreach (get_plugins() as $file => $it) $all[] = ['plugin', 'regular', $file, $it['Name'], $it['Version'], is_plugin_active($file)];
  foreach (get_mu_plugins() as $file => $it) $all[] = ['plugin', 'must_use', $file, $it['Name'], $it['Version'], true];
  foreach (get_dropins() as $file => $it) $all[] = ['plugin', 'drop_in', $file, $it['Name'], $it['Version'], true];
  foreach (wp_get_themes() as $slug => $it) $all[] = ['theme', 'regular', $slug, $it->get('Name'), $it->get('Version'), get_option('stylesheet') === $slug];
  return $all;`;

const linesOf = (state: SiteState) =>
  state.extensions
    .map((each) => [
      each.type,
      each.kind,
      each.file ?? each.slug,
      each.name,
      each.version ?? '',
      each.status === 'active',
    ])
    .toSorted(byText);
const byText = (scanResult: unknown, other: unknown) => (JSON.stringify(scanResult) < JSON.stringify(other) ? -1 : 1);
const offersOf = (state: SiteState) =>
  Object.fromEntries(state.extensions.flatMap(({ slug, new_version: version }) => (version ? [[slug, version]] : [])));

describeFleet('reading a site', () => {
  let fleet: Fleet;
  let root: Awaited<ReturnType<typeof logInAsHost>>;
  let deploy: typeof root;
  beforeAll(async () => {
    fleet = await Fleet.start();
    root = await logInAsHost(fleet.host, 'sh');
    deploy = await logInAsHost(fleet.host, 'deploy');
  });
  afterAll(async () => {
    await root?.close();
    await deploy?.close();
    await fleet?.close();
  });

  const scan = async (kinds: readonly SiteKind[], host = root) => {
    const scans = await scanSites(
      host,
      kinds.map((kind) => fleet.site(kind).path),
      { php },
    );
    return scans.map((scanResult) => {
      if (!scanResult || scanResult instanceof SiteFailure) throw scanResult ?? new Error('unread');
      return scanResult;
    });
  };
  const inspect = (kind: SiteKind, host = root, refreshes = false) =>
    inspectSite(host, fleet.site(kind), { php, refreshes, api: fleet.wordpressOrg.url });
  const expectedLines = async (kind: SiteKind) => {
    const all = (await fleet.runPhp(fleet.site(kind), inventory)) as unknown[][];
    return all.filter(([, , file]) => !String(file).startsWith('é trange')).toSorted(byText);
  };

  it('scans many sites at once, and knows whose answer each is', async () => {
    const kinds = Array.from({ length: 24 }, (_, at): SiteKind => (at < 17 ? 'plain' : 'multisite'));
    const scans = await scan(kinds);
    expect(scans.map(({ state }) => state.is_multisite)).toEqual(kinds.map((kind) => kind === 'multisite'));
  });

  it('scans all sites in one process, without running their code', async () => {
    const scans = await scan(siteKinds);
    expect(scans.map(({ state }) => state.core.version)).toEqual(siteKinds.map(() => fleet.versions.installed));
    expect(scans.map(({ state }) => state.problem)).toEqual(siteKinds.map(() => null));
    const reasons = Object.fromEntries(siteKinds.map((kind, at) => [kind, scans[at]?.state.needs_boot]));
    expect(reasons).toEqual({
      ...Object.fromEntries(siteKinds.map((kind) => [kind, []])),
      multisite: ['multisite'],
      'moved-content': expect.arrayContaining(['computed_config']),
      'object-cache': ['object_cache'],
    });
    const owners = scans.map(({ state }) => state.owner);
    expect(owners).toEqual(siteKinds.map((kind) => (kind === 'other-owner' ? 'www-data' : expect.any(String))));
  });

  const readable = siteKinds.filter((kind) => !['multisite', 'moved-content', 'broken'].includes(kind));
  it.each(readable)('a scan agrees with WordPress: %s', async (kind) => {
    const [scanned] = await scan([kind]);
    expect(scanned && linesOf(scanned.state)).toEqual(await expectedLines(kind));
    expect(scanned?.state.home_url).toBe(fleet.site(kind).url);
  });

  it.each(siteKinds.filter((kind) => kind !== 'broken'))('an inspection agrees with WordPress: %s', async (kind) => {
    let programs = 0;
    const { state } = await inspect(kind, { ...root, run: (...all) => root.run(...all).finally(() => programs++) });
    const [scanned] = await scan([kind]);
    expect([programs, state.mark]).toEqual([1, scanned?.state.mark]);
    expect(state.problem).toBeNull();
    expect(state).toMatchObject({ depth: 'inspect', needs_boot: [], home_url: fleet.site(kind).url });
    expect(linesOf(state)).toEqual(await expectedLines(kind));
  });

  it('names the plugin, file and line that break a site, and reads it all the same', async () => {
    const { state } = await inspect('broken');
    const { file, line, message } = fleet.site('broken').fault ?? {};
    expect(state.problem).toMatchObject({ kind: 'fatal', file, line, culprit: { type: 'plugin', slug: 'avarie' } });
    expect(state.problem?.message).toContain(message);
    const [scanned] = await scan(['broken']);
    expect(linesOf(state)).toEqual(scanned && linesOf(scanned.state));
    expect(state.extensions.filter(({ status }) => status === 'active').length).toBeGreaterThan(4);
  });

  it('drops leftover test tables, and none that may still be needed', async () => {
    const site = fleet.site('config-above');
    const kept = ['vgr0123456789ab_1', 'vgr0123456789ab_at', 'vgr_notes'];
    for (const name of ['vgr0000000000bb_there', ...kept]) await fleet.query(site, `create table ${name} (id int)`);
    expect((await inspect('config-above')).state.problem).toBeNull();
    expect((await fleet.query(site, "show tables like 'vg%'")).flat()).toEqual(kept);
    await fleet.query(site, `drop table ${kept.join(', ')}`);
  });

  it('leaves the theme_switched option to the first visit with the new theme', async () => {
    const site = fleet.site('broken');
    const where = "option_name = 'theme_switched'";
    await fleet.query(site, `update wp_options set option_value = 'phare' where ${where}`);
    await inspect('broken');
    expect(await fleet.query(site, `select option_value from wp_options where ${where}`)).toEqual([['phare']]);
    await fleet.query(site, `update wp_options set option_value = '' where ${where}`);
  });

  it('starts a network by its host name, and sees network-active plugins', async () => {
    const { state } = await inspect('multisite');
    const networked = state.extensions
      .filter((each) => each.is_network_active)
      .map(({ slug, status }) => [slug, status]);
    expect(state.is_multisite).toBe(true);
    expect(networked).toEqual([['formulaire', 'active']]);
  });

  it('finds updates, also of a plugin that offers its own', async () => {
    const { state } = await inspect('plain', root, true);
    const checked = { checked_at: expect.any(String), error: null };
    expect(state.checks).toEqual({ core: checked, plugins: checked, themes: checked });
    expect(offersOf(state)).toMatchObject({
      vitrine: '1.3.0',
      formulaire: '2.1.0',
      'boussole-pro': '3.1.0',
      phare: '1.1',
    });
    expect(state.core).toMatchObject({ hasUpdate: true, new_version: fleet.versions.offered });
    const [scanned] = await scan(['plain']);
    expect(scanned && offersOf(scanned.state)).toEqual(offersOf(state));
    expect(scanned?.state).toMatchObject({ core: state.core, mark: state.mark });
  });

  it.each([
    ['needs more of the administration', `get_current_screen() || $updates->response['relais/relais.php'] = $offer;`],
    ['exits at shutdown', `add_action('shutdown', fn () => exit); $updates->response['relais/relais.php'] = $offer;`],
    [
      'restricts file access with open_basedir',
      `ini_set('open_basedir', ABSPATH); $updates->response['relais/relais.php'] = $offer;`,
    ],
  ])('reads the offers of code that %s', async (_, body) => {
    const file = join(fleet.site('plain').path, 'wp-content/mu-plugins/offre.php');
    mkdirSync(dirname(file), { recursive: true });
    const offer = `$offer = (object) ['new_version' => '7.7'];`;
    writeFileSync(
      file,
      `<?php add_filter('site_transient_update_plugins', function ($updates) { ${offer} ${body} return $updates; });`,
    );
    const { state } = await inspect('plain');
    const [scanned] = await scan(['plain']);
    rmSync(file);
    expect([state.problem, offersOf(state)]).toEqual([null, expect.objectContaining({ relais: '7.7' })]);
    expect(state.mark).toBe(scanned?.state.mark);
  });

  it('never takes a failed check for "no updates"', async () => {
    const before = offersOf((await inspect('plain', root, true)).state);
    expect(Object.keys(before).length).toBeGreaterThan(3);
    for (const failure of ['error', 'nonsense', 'cut'] as const) {
      // Three checks, each repeated without encryption.
      fleet.wordpressOrg.failures.push(...Array<typeof failure>(6).fill(failure));
      const { state } = await inspect('plain', root, true);
      fleet.wordpressOrg.failures.splice(0);
      const failed = { checked_at: null, error: expect.stringMatching(/./) };
      expect([failure, state.checks]).toEqual([failure, { core: failed, plugins: failed, themes: failed }]);
      expect([failure, offersOf(state)]).toEqual([failure, before]);
      expect(state.core.new_version).toBe(fleet.versions.offered);
    }
  });

  it('never runs the code of a site as root', async () => {
    const probe = `return [posix_geteuid(), getenv('SSH_CONNECTION')];`;
    expect(await fleet.runPhp(fleet.site('other-owner'), probe)).toEqual([33, false]);
    const { state, isOwner } = await inspect('other-owner');
    expect([isOwner, state.owner]).toEqual([true, 'www-data']);
  });

  it('reports files that a login other than the owner cannot read', async () => {
    const [scanned] = await scan(['other-owner'], deploy);
    expect(scanned?.state.needs_boot).toContain('unreadable');
    const { state, isOwner } = await inspect('plain', deploy);
    expect([isOwner, state.problem, state.is_writable]).toEqual([false, null, true]);
  });

  it('reports an unfinished update, and reads the site all the same', async () => {
    const file = join(fleet.site('config-above').path, '.maintenance');
    writeFileSync(file, '<?php $upgrading = time();');
    const { state } = await inspect('config-above');
    rmSync(file);
    expect(state.problem).toMatchObject({ kind: 'ended_early', message: expect.stringContaining('.maintenance') });
    expect(state.extensions.length).toBeGreaterThan(4);
  });

  it('reports read-only files', async () => {
    const { state } = await inspect('read-only', deploy);
    expect(state.is_writable).toBe(false);
    const [scanned] = await scan(['read-only']);
    expect(scanned?.state.is_writable).toBe(false);
  });

  it('reports writable extensions even if WordPress itself is read-only', async () => {
    const file = join(fleet.site('plain').path, 'wp-includes/version.php');
    chmodSync(file, 0o444);
    const { state } = await inspect('plain', deploy);
    const [scanned] = await scan(['plain'], deploy);
    chmodSync(file, 0o644);
    expect([state.is_writable, scanned?.state.is_writable]).toEqual([true, true]);
  });

  it('finds the sites of a host', async () => {
    const folder = fleet.site('plain').path.replace(/\/plain$/, '');
    const { items } = await discoverSites(root, { php, extra: [folder] });
    const scanned = Object.fromEntries(items.map(({ path, url, version }) => [path, [url, version]]));
    const { installed } = fleet.versions;
    for (const { kind, path, url } of fleet.sites) {
      expect(scanned[path]).toEqual([kind === 'multisite' ? expect.any(String) : url, installed]);
    }
  });

  it('reports each step of a connection test', async () => {
    const steps = new SiteSteps();
    steps.note('connect', { state: 'ok', message: '', remedy: null });
    const site = { ...fleet.site('broken'), php: null };
    const { state } = await diagnoseSite(root, site, { steps, api: null });
    expect(steps.all.map((step) => `${step.step} ${step.state}`)).toEqual([
      'connect ok',
      'shell ok',
      'path ok',
      'php ok',
      'config ok',
      'database ok',
      'wordpress failed',
      'write ok',
    ]);
    expect(steps.all[6]?.remedy).toContain('avarie');
    expect(state.problem?.kind).toBe('fatal');
  });
});
