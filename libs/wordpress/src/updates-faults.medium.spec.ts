import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftoversOn, versionOf } from '@vigie/testing/change-stage';
import { Changes, changesOf, endsOf, treeOf, withMustUse } from '@vigie/testing/changes';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy as owner, onFleet } from '@vigie/testing/fleet/machine';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import { killOperation } from '@vigie/testing/operations';
import { until } from '@vigie/testing/until';
import type { UpdatesOrder } from './updates';

const describeFleet = onFleet(describe);
const three = { 'plugin.vitrine': '1.3.0', 'plugin.formulaire': '2.1.0', 'theme.phare': '1.1' };
const two = { 'plugin.vitrine': '1.3.0', 'plugin.formulaire': '2.1.0' };

describeFleet('interrupted updates of several items', () => {
  let fleet: Fleet;
  let changes: Changes;
  let site: FleetSite;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'broken'] });
    changes = await Changes.connect(fleet, 'deploy');
    site = fleet.site('plain');
    // The first visit of a new site makes WordPress store its widgets and rewrite rules.
    await fetch(site.url);
  });
  afterAll(async () => {
    await changes?.close();
    await fleet?.close();
  });

  const asidesOf = ({ site: { id } }: Pick<UpdatesOrder, 'site'>) =>
    join(fleet.host.homeOf('deploy'), '.vigie/asides', id);
  const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).toSorted() : []);
  const stateOf = async () => ({
    files: treeOf(site),
    leftovers: leftoversOn(site),
    options: await fleet.query(
      site,
      `select option_name, option_value from wp_options where option_name not like '%transient%'
       and option_name not in ('cron', 'auto_plugin_theme_update_emails') order by 1`,
    ),
  });
  const rollBackAll = async (order: UpdatesOrder) => {
    for (const change of changesOf(order).toReversed())
      expect((await changes.rollBack(change, 10)).reader.end).toMatchObject({ is: 'done' });
  };
  const isLocked = async () =>
    (await fleet.query(site, "select 1 from wp_options where option_name = 'auto_updater.lock'")).length > 0;

  /** A file whose presence means that a pause was reached; the pause lasts until it is removed. */
  const mark = () => join(site.path, 'wp-content/uploads/pause');
  const pauseCode = () => `touch('${mark()}'); while (file_exists('${mark()}')) { usleep(20000); clearstatcache(); }`;
  /** An operation that ends without a pause fails the test instead of making it wait. */
  const untilPause = async (run: Promise<{ printed: string }>) => {
    let printed: string | undefined;
    void run.then((result) => (printed = result.printed));
    await until(() => existsSync(mark()) || printed !== undefined);
    expect(printed).toBeUndefined();
  };
  const withPause = <T>(code: string, work: () => Promise<T>) =>
    withMustUse(site, code, work).finally(() => rmSync(mark(), { force: true }));
  const pauses = {
    afterCopies: () => `add_filter('query', function ($query) {
      if (strpos($query, 'INSERT') === 0 && strpos($query, 'auto_updater.lock')) { ${pauseCode()} }
      return $query;
    });`,
    inSecond: () => `add_filter('upgrader_clear_destination', function ($value, $local, $remote, $extra) {
      if ($extra['plugin'] === 'formulaire/formulaire.php') { ${pauseCode()} }
      return $value;
    }, 20, 4);`,
    beforeLock: () =>
      `add_filter('pre_option_auto_updater.lock', function ($value) { ${pauseCode()} return $value; });`,
  };
  /** Pauses the shell around the naming of the second copy. */
  const pauseAtNaming = (isBefore: boolean) => {
    const pause = `case $2 in *plugin.formulaire*) touch '${mark()}'; sleep 600 ;; esac`;
    return isBefore ? `mv() { ${pause}; command mv "$@"; }\n` : `mv() { command mv "$@"; ${pause}; }\n`;
  };
  const killAtPause = async (order: UpdatesOrder, before = '') => {
    const run = changes.updates(order, before);
    await untilPause(run);
    killOperation(order.operation);
    const result = await run;
    rmSync(mark());
    return result.reader;
  };
  const hasTemporary = ({ operation }: UpdatesOrder) => existsSync(`/tmp/vigie-${operation}`);

  it.each(['afterCopies', 'inSecond'] as const)('are rolled back one by one: killed %s', async (pause) => {
    const before = await stateOf();
    const order = changes.updatesOrder(site, three);
    const isChanging = pause === 'inSecond';
    const reader = await withPause(pauses[pause](), () => killAtPause(order));
    const ends = isChanging ? ['done', undefined, undefined] : Array(3).fill(undefined);
    expect([reader.reached, endsOf(reader, order)]).toEqual([isChanging ? 'changing' : 'aside', ends]);
    expect([await isLocked(), hasTemporary(order), versionOf(site, 'vitrine')]).toEqual(
      isChanging ? [true, true, '1.3.0'] : [false, false, '1.2.0'],
    );
    expect(namesIn(join(asidesOf(order), 'updates'))).toEqual(
      ['items', 'lock', 'part'].map((suffix) => `${order.operation}.${suffix}`),
    );
    await rollBackAll(order);
    expect(await stateOf()).toEqual(before);
    expect([await isLocked(), hasTemporary(order)]).toEqual([false, false]);
    expect(namesIn(asidesOf(order))).not.toContain('updates');
    await rollBackAll(order);
    expect(await stateOf()).toEqual(before);
  });

  it.each([true, false])(
    'find their copies where their splitting was killed, before a name was given: %s',
    async (isBefore) => {
      const before = await stateOf();
      const order = changes.updatesOrder(site, three);
      const reader = await killAtPause(order, pauseAtNaming(isBefore));
      expect([reader.reached, endsOf(reader, order)]).toEqual(['ended', ['done', 'done', 'done']]);
      const [first, second] = changesOf(order);
      if (!first || !second) throw new Error('no items');
      // The rollback itself is killed while it splits what the update left.
      const rollback = changes.rollBack(second, 10, pauseAtNaming(isBefore));
      await until(() => existsSync(mark()));
      for (const id of readdirSync(join(fleet.host.homeOf('deploy'), '.vigie/operations'))) killOperation(id);
      await rollback;
      rmSync(mark());
      await changes.tidy(first);
      for (const { item, operation } of order.items)
        expect(namesIn(join(asidesOf(order), `${item.kind}.${item.slug}`))).toContain(`${operation}.tar`);
      expect(namesIn(asidesOf(order))).not.toContain('updates');
      await rollBackAll(order);
      expect(await stateOf()).toEqual(before);
    },
  );

  it('say that nothing had changed where the copies were never completed', async () => {
    const order = changes.updatesOrder(site, two);
    const folder = join(asidesOf(order), 'updates');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${order.operation}.part`), 'x'.repeat(3_000));
    writeFileSync(join(folder, `${order.operation}.lock`), '');
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, dirname(dirname(asidesOf(order)))]);
    const [change] = changesOf(order);
    if (!change) throw new Error('no items');
    const { end } = (await changes.rollBack(change)).reader;
    expect(end).toMatchObject({ is: 'done', messages: ['Rien n’avait encore été modifié.'] });
    expect(existsSync(folder)).toBe(false);
  });

  it('never say that nothing had changed where a copy is gone, or has no room for a file of its own', async () => {
    const before = await stateOf();
    const order = changes.updatesOrder(site, two);
    await withPause(pauses.inSecond(), () => killAtPause(order));
    const [vitrine, formulaire] = changesOf(order);
    if (!vitrine || !formulaire) throw new Error('no items');
    const full = 'touch() { [ "$1" != -r ] && command touch "$@"; }\n';
    const { end } = (await changes.rollBack(formulaire, 10, full)).reader;
    expect(end).toMatchObject({
      is: 'failed',
      code: 'not_rolled_back',
      message: expect.stringContaining('pas assez de place'),
    });
    const restore = { action: 'restore', item: 'plugin.vitrine', rollbackCopyId: vitrine.operation } as const;
    expect((await changes.change(changes.order(site, restore), full)).reader.end).toMatchObject({ code: 'no_room' });
    await rollBackAll(order);
    expect(await stateOf()).toEqual(before);
    rmSync(asidesOf(order), { recursive: true });
    expect((await changes.rollBack(vitrine)).reader.end).toMatchObject({ code: 'not_rolled_back' });
  });

  it('are stopped before they begin, and leave nothing', async () => {
    const before = await stateOf();
    const order = changes.updatesOrder(site, three);
    rmSync(asidesOf(order), { recursive: true, force: true });
    const { reader } = await withPause(pauses.beforeLock(), async () => {
      const run = changes.updates(order);
      await untilPause(run);
      const stopping = changes.stop(order.operation);
      await until(() => readFileSync(join(asidesOf(order), 'updates', `${order.operation}.lock`), 'utf8') === 'stop\n');
      rmSync(mark());
      await stopping;
      return run;
    });
    expect([...reader.ends.values()].map((end) => end.is === 'refused' && end.code)).toEqual(Array(3).fill('stopped'));
    expect([await stateOf(), existsSync(asidesOf(order))]).toEqual([before, false]);
  });

  it('run to their end if they are stopped later', async () => {
    const order = changes.updatesOrder(site, three);
    const { reader } = await withPause(pauses.inSecond(), async () => {
      const run = changes.updates(order);
      await untilPause(run);
      const stopping = changes.stop(order.operation);
      const note = join(asidesOf(order), 'updates', `${order.operation}.lock`);
      await until(() => readFileSync(note, 'utf8').endsWith('stop\n'));
      rmSync(mark());
      await stopping;
      return run;
    });
    expect(endsOf(reader, order)).toEqual(['done', 'done', 'done']);
    await rollBackAll(order);
  });

  const apart = async (target: FleetSite, order: UpdatesOrder, before = '') => {
    const [files, asides] = [treeOf(target), namesIn(asidesOf(order))];
    const { reader, code } = await changes.updates(order, before);
    expect([treeOf(target), namesIn(asidesOf(order))]).toEqual([files, asides]);
    return [reader.isApart, reader.reached, code, reader.ends.size];
  };

  it('are left to single updates by a site that does not start, and by a PHP without fsync', async () => {
    const broken = fleet.site('broken');
    expect(await apart(broken, changes.updatesOrder(broken, two))).toEqual([true, 'ended', 1, 0]);
    const php = join(fleet.host.homeOf('deploy'), 'old-php');
    writeFileSync(php, '#!/bin/sh\nexec /usr/bin/php -d disable_functions=fsync "$@"\n', { mode: 0o755 });
    expect(await apart(site, { ...changes.updatesOrder(site, two), php })).toEqual([true, 'ended', 1, 0]);
    expect(await apart(site, { ...changes.updatesOrder(site, two), php: '/nulle/part' })).toEqual([
      true,
      'ended',
      1,
      0,
    ]);
  });

  it('are left to single updates where there is no room for all copies, though there is for each', async () => {
    const padding = Object.keys(two).map((name) => join(site.path, 'wp-content/plugins', name.slice(7), 'lest'));
    for (const file of padding) writeFileSync(file, 'x'.repeat(100_000));
    execFileSync('chown', [`${owner.uid}:${owner.gid}`, ...padding]);
    // In kilobytes: two copies of 100 each, twice, need more than is free; the allowance is a tenth of what is free.
    const free = (kilobytes: number) =>
      `df() { case $1 in *k) echo 'x 9 9 ${kilobytes} 9% /' ;; *) command df "$@" ;; esac; }\n`;
    const filler = join(asidesOf(changes.updatesOrder(site, two)), 'plugin.autre', `${randomUUID()}.tar`);
    mkdirSync(dirname(filler), { recursive: true });
    writeFileSync(filler, 'x'.repeat(4_000_000));
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, dirname(dirname(dirname(dirname(filler))))]);
    try {
      for (const kilobytes of [1_350, 1_000]) {
        expect(await apart(site, changes.updatesOrder(site, two), free(kilobytes))).toEqual([true, 'ended', 1, 0]);
      }
      const order = changes.order(site, { action: 'update', item: 'plugin.vitrine', to: '1.3.0' });
      const { printed } = await changes.change(order, free(1_350));
      expect(printed).toContain('"is":"done"');
      await changes.rollBack(order);
    } finally {
      rmSync(filler, { force: true });
      for (const file of padding) rmSync(file, { force: true });
    }
  });
});
