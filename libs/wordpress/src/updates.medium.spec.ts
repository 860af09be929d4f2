import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftoversOn, versionOf } from '@vigie/testing/change-stage';
import { Changes, changesOf, endsOf, timedPhp, treeOf, withMustUse } from '@vigie/testing/changes';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy as owner, onFleet } from '@vigie/testing/fleet/machine';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import type { UpdatesOrder } from './updates';

const describeFleet = onFleet(describe);
const kinds = ['plain', 'multisite', 'moved-content', 'awkward'] as const;
const versions = {
  'plugin.vitrine': '1.3.0',
  'plugin.formulaire': '2.1.0',
  'theme.phare': '1.1',
  'plugin.relais': '1.0',
};
const three = { 'plugin.vitrine': '1.3.0', 'plugin.formulaire': '2.1.0', 'theme.phare': '1.1' };

describeFleet('updates of several items of a site', () => {
  let fleet: Fleet;
  let changes: Changes;
  let asRoot: Changes;
  let site: FleetSite;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: [...kinds, 'other-owner'] });
    changes = await Changes.connect(fleet, 'deploy');
    asRoot = await Changes.connect(fleet, 'sh');
    site = fleet.site('plain');
    // The first visit of a new site makes WordPress store its widgets and rewrite rules.
    for (const each of fleet.sites) await fetch(each.url);
  });
  afterAll(async () => {
    await changes?.close();
    await asRoot?.close();
    await fleet?.close();
  });

  const asidesOf = ({ site: { id } }: Pick<UpdatesOrder, 'site'>, home = fleet.host.homeOf('deploy')) =>
    join(home, '.vigie/asides', id);
  /** The rollback copies of a site, by the folder of their item. */
  const copiesOf = (order: UpdatesOrder, home?: string) => {
    const folder = asidesOf(order, home);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return Object.fromEntries(names.map((name) => [name, readdirSync(join(folder, name)).toSorted()]));
  };
  const clearCopies = (order: UpdatesOrder) => rmSync(asidesOf(order), { recursive: true, force: true });
  const stateOf = async (target: FleetSite) => ({
    files: treeOf(target)
      .split('\n')
      .filter((line) => !/\/upgrade(\/| )/.test(line)),
    options: await fleet.runPhp(
      target,
      `return array_map('get_option', ['active_plugins', 'template', 'stylesheet', 'sidebars_widgets', 'auto_updater.lock'])
        + ['network' => get_site_option('active_sitewide_plugins')];`,
    ),
  });
  const rollBackAll = async (order: UpdatesOrder, by = changes) => {
    for (const change of changesOf(order).toReversed())
      expect((await by.rollBack(change, 10)).reader.end).toMatchObject({ is: 'done' });
  };
  const withPlugin = <T>(code: string, work: () => Promise<T>, target = site) => withMustUse(target, code, work);

  it.each(kinds)('start WordPress once, and each can be rolled back alone: %s', async (kind) => {
    const target = fleet.site(kind);
    const before = await stateOf(target);
    const timed = timedPhp(fleet);
    const order = { ...changes.updatesOrder(target, versions), php: timed.path };
    const { reader, code, printed } = await changes.updates(order);
    expect([code, endsOf(reader, order), printed]).toEqual([0, Array(4).fill('done'), expect.any(String)]);
    expect(timed.limits()).toEqual([780]);
    expect([reader.reached, reader.starts, reader.isApart]).toEqual(['ended', true, false]);
    for (const { operation, to } of order.items)
      expect(reader.ends.get(operation)).toMatchObject({ is: 'done', to, rollbackCopy: { has_tables: false } });
    expect([versionOf(target, 'vitrine'), versionOf(target, 'relais'), leftoversOn(target)]).toEqual([
      '1.3.0',
      '1.0',
      [],
    ]);
    const copies = order.items.map(({ item, operation }) => [`${item.kind}.${item.slug}`, [`${operation}.tar`]]);
    expect(copiesOf(order)).toEqual(Object.fromEntries(copies));
    await rollBackAll(order);
    expect(await stateOf(target)).toEqual(before);
    expect((await fetch(target.url)).status).toBe(200);
  });

  it('leave no file to root after a login as root', async () => {
    const target = fleet.site('other-owner');
    const before = await stateOf(target);
    const order = asRoot.updatesOrder(target, three);
    const { reader } = await asRoot.updates(order);
    expect(endsOf(reader, order)).toEqual(['done', 'done', 'done']);
    const paths = ['plugins/vitrine', 'plugins/vitrine/vitrine.php', 'plugins/formulaire', 'themes/phare/style.css'];
    expect(paths.map((path) => statSync(join(target.path, 'wp-content', path)).uid)).toEqual([33, 33, 33, 33]);
    const [copy = ''] = copiesOf(order, fleet.host.home)['theme.phare'] ?? [];
    const { uid, mode } = statSync(join(asidesOf(order, fleet.host.home), 'theme.phare', copy));
    expect([uid, mode & 0o777]).toEqual([0, 0o600]);
    await rollBackAll(order, asRoot);
    expect(await stateOf(target)).toEqual(before);
  });

  it('check for updates once, with the plugins that offer their own', async () => {
    const order = changes.updatesOrder(site, { 'plugin.boussole-pro': '3.1.0', ...three });
    const requests = fleet.wordpressOrg.requests.length;
    expect(endsOf((await changes.updates(order)).reader, order)).toEqual(Array(4).fill('done'));
    const checks = fleet.wordpressOrg.requests.slice(requests).filter(({ path }) => path.includes('update-check'));
    // The site had forgotten the offers: they are refreshed before, and checked again after all updates.
    expect(checks.map(({ path }) => path.split('/')[1])).toEqual(['plugins', 'themes', 'plugins', 'themes']);
    const offers = `return array_map(fn ($kind) => array_keys(get_site_transient($kind)->response ?? []), ['update_plugins', 'update_themes']);`;
    // Old code of Boussole Pro is still in memory, and offers its update once more.
    const [plugins, themes] = (await fleet.runPhp(site, offers)) as [string[], string[]];
    expect([plugins.filter((file) => /vitrine|formulaire/.test(file)), themes]).toEqual([[], []]);
    await rollBackAll(order);
  });

  it('go on beside items that are refused, which keep no copy', async () => {
    const before = await stateOf(site);
    fleet.wordpressOrg.licensed.add('formulaire');
    const order = changes.updatesOrder(site, { 'plugin.absente': '1.0', ...three, 'plugin.relais': '0.9' });
    clearCopies(order);
    const { reader, code } = await changes.updates(order);
    fleet.wordpressOrg.licensed.clear();
    expect(endsOf(reader, order)).toEqual(['refused', 'done', 'refused', 'done', 'refused']);
    const codes = order.items
      .map(({ operation }) => reader.ends.get(operation))
      .map((end) => end && 'code' in end && end.code);
    expect([code, codes]).toEqual([0, ['refused_by_wordpress', false, 'licence_required', false, 'nothing_to_do']]);
    expect(Object.keys(copiesOf(order)).toSorted()).toEqual(['plugin.vitrine', 'theme.phare']);
    const [, vitrine, , phare] = changesOf(order);
    for (const change of [phare, vitrine]) if (change) await changes.rollBack(change);
    expect(await stateOf(site)).toEqual(before);
  });

  it('change nothing and leave no copy where every item is refused', async () => {
    const before = await stateOf(site);
    fleet.wordpressOrg.licensed.add('formulaire').add('vitrine');
    const order = changes.updatesOrder(site, { 'plugin.vitrine': '1.3.0', 'plugin.formulaire': '2.1.0' });
    clearCopies(order);
    const { reader, code } = await changes.updates(order);
    fleet.wordpressOrg.licensed.clear();
    expect([code, endsOf(reader, order)]).toEqual([1, ['refused', 'refused']]);
    expect([await stateOf(site), existsSync(asidesOf(order))]).toEqual([before, false]);
  });

  it('are all refused while WordPress updates something itself', async () => {
    const order = changes.updatesOrder(site, { ...three, 'plugin.absente': '1.0' });
    clearCopies(order);
    await fleet.runPhp(site, "return update_option('auto_updater.lock', time());");
    const { reader } = await changes.updates(order);
    await fleet.runPhp(site, "return delete_option('auto_updater.lock');");
    const codes = [...reader.ends.values()].map((end) => end.is === 'refused' && end.code);
    expect(codes).toEqual(['wordpress_busy', 'wordpress_busy', 'wordpress_busy', 'refused_by_wordpress']);
    expect([reader.isApart, existsSync(asidesOf(order))]).toEqual([false, false]);
  });

  /** Makes WordPress fail or end PHP once the old version of a plugin is deleted, or before anything is downloaded. */
  const faultAt = (hook: 'upgrader_clear_destination' | 'upgrader_pre_download', slug: string, fault: string) =>
    `add_filter('${hook}', function ($value, ...$rest) {
       $extra = end($rest);
       if (($extra['plugin'] ?? '') === '${slug}/${slug}.php') { ${fault} }
       return $value;
     }, 20, 4);`;

  it.each([
    ['an error', "return new WP_Error('remove_old_failed', 'Non.');", 'Non.'],
    ['a fatal error', 'personne_ne_la_connait();', 'personne_ne_la_connait'],
    ['an exit', 'exit;', 'arrêté en route'],
  ])('stop at %s in the middle of an item, and all can be rolled back', async (_, fault, words) => {
    const before = await stateOf(site);
    const order = changes.updatesOrder(site, versions);
    clearCopies(order);
    const code = faultAt('upgrader_clear_destination', 'formulaire', fault);
    const { reader } = await withPlugin(code, () => changes.updates(order));
    expect([endsOf(reader, order), reader.reached]).toEqual([['done', 'failed', undefined, undefined], 'ended']);
    expect(reader.ends.get(order.items[1]?.operation ?? '')).toMatchObject({
      touched: true,
      message: expect.stringContaining(words),
    });
    expect(existsSync(join(site.path, 'wp-content/plugins/formulaire/formulaire.php'))).toBe(false);
    expect(copiesOf(order)).not.toHaveProperty('updates');
    await rollBackAll(order);
    expect([await stateOf(site), leftoversOn(site)]).toEqual([before, []]);
    expect(existsSync(`/tmp/vigie-${order.operation}`)).toBe(false);
  });

  it.each(['0 512', '0a[$(touch${IFS}/tmp/vigie-trap)] 512'])(
    'take from the note only what the order names, whatever the site writes there: %s',
    async (place) => {
      const order = changes.updatesOrder(site, { 'plugin.vitrine': '1.3.0', 'plugin.formulaire': '2.1.0' });
      clearCopies(order);
      const trap = join(fleet.host.homeOf('deploy'), '.vigie/trap');
      const lines = ['../../trap', 'plugin.vitrine'].map((name) => `copy ${place} ${randomUUID()} ${name}`).join('\n');
      const code = faultAt('upgrader_pre_download', 'vitrine', `file_put_contents('php://fd/8', '${lines}' . "\\n");`);
      const { reader } = await withPlugin(code, () => changes.updates(order));
      expect(endsOf(reader, order)).toEqual(['done', 'done']);
      const [vitrine, formulaire] = order.items.map(({ operation }) => [`${operation}.tar`]);
      expect(copiesOf(order)).toEqual({ 'plugin.vitrine': vitrine, 'plugin.formulaire': formulaire });
      expect([existsSync(trap), existsSync('/tmp/vigie-trap')]).toEqual([false, false]);
      await rollBackAll(order);
    },
  );

  it('refuse an item that ends PHP before anything was changed, and fail at one that does it later', async () => {
    const before = await stateOf(site);
    const fault = (slug: string) => faultAt('upgrader_pre_download', slug, 'exit;');
    const first = changes.updatesOrder(site, three);
    clearCopies(first);
    const { reader } = await withPlugin(fault('vitrine'), () => changes.updates(first));
    expect([endsOf(reader, first), reader.reached]).toEqual([['refused', undefined, undefined], 'ended']);
    expect([await stateOf(site), existsSync(asidesOf(first))]).toEqual([before, false]);
    const second = changes.updatesOrder(site, three);
    const later = await withPlugin(fault('formulaire'), () => changes.updates(second));
    expect(endsOf(later.reader, second)).toEqual(['done', 'failed', undefined]);
    await rollBackAll(second);
    expect(await stateOf(site)).toEqual(before);
  });

  it('keep the newest older copy of each item, from the end of the change on, and no more than the allowance', async () => {
    const order = changes.updatesOrder(site, three);
    clearCopies(order);
    const folder = join(asidesOf(order), 'plugin.vitrine');
    const old = (path: string, hours: number, bytes = 1) => {
      const seconds = Date.now() / 1_000 - hours * 3_600;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, 'x'.repeat(bytes));
      utimesSync(path, seconds, seconds);
    };
    const names = [randomUUID(), randomUUID(), randomUUID()];
    old(join(folder, `${names[0]}.tar`), 3);
    old(join(folder, `${names[1]}.tar`), 2);
    old(join(folder, `${names[2]}.back`), 1);
    const abandoned = join(asidesOf(order), 'plugin.ancien', `${randomUUID()}.tar`);
    old(abandoned, 24, 1_000_000);
    old(abandoned.replace('ancien', 'recent'), 5);
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, dirname(dirname(asidesOf(order)))]);
    // Of 3 MB, rollback copies may take 300 kB.
    const df = `df() { case $1 in *k) echo 'x 9 9 2000 9% /' ;; *) command df "$@" ;; esac; }\n`;
    const { reader } = await changes.updates(order, df);
    expect(endsOf(reader, order)).toEqual(['done', 'done', 'done']);
    const own = `${order.items[0]?.operation}.tar`;
    expect(copiesOf(order)['plugin.vitrine']).toEqual([own, `${names[1]}.tar`].toSorted());
    expect([existsSync(abandoned), copiesOf(order)['plugin.recent']?.length]).toEqual([false, 1]);
    const theme = statSync(join(site.path, 'wp-content/themes/phare/style.css'));
    expect(statSync(join(folder, own)).mtimeMs).toBeGreaterThanOrEqual(theme.ctimeMs - 10);
    await rollBackAll(order);
  });

  it('can be undone by hand later', async () => {
    const order = changes.updatesOrder(site, three);
    expect(endsOf((await changes.updates(order)).reader, order)).toEqual(['done', 'done', 'done']);
    const rollbackCopyId = order.items[1]?.operation ?? '';
    const undo = changes.order(site, { action: 'restore', item: 'plugin.formulaire', rollbackCopyId });
    expect((await changes.change(undo)).reader.end).toMatchObject({ is: 'done', from: '2.1.0', to: '2.0.1' });
    expect([versionOf(site, 'formulaire'), versionOf(site, 'vitrine')]).toEqual(['2.0.1', '1.3.0']);
    await changes.rollBack(undo);
    await rollBackAll(order);
  });
});
