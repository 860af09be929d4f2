import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Changes, timedPhp, treeOf } from '@vigie/testing/changes';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy as owner, onFleet } from '@vigie/testing/fleet/machine';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import { until } from '@vigie/testing/until';
import { killOperation } from '@vigie/testing/operations';
import type { ChangeOrder } from './change';

const describeFleet = onFleet(describe);

describeFleet('an interrupted change', () => {
  let fleet: Fleet;
  let changes: Changes;
  let site: FleetSite;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'] });
    changes = await Changes.connect(fleet, 'deploy');
    site = fleet.site('plain');
    // The first visit of a new site makes WordPress store its widgets and rewrite rules.
    await fetch(site.url);
  });
  afterAll(async () => {
    await changes?.close();
    await fleet?.close();
  });

  const operations = () => join(fleet.host.homeOf('deploy'), '.vigie/operations');
  const copyOf = ({ operation, site: { id }, item }: ChangeOrder) =>
    join(fleet.host.homeOf('deploy'), '.vigie/asides', id, `${item.kind}.${item.slug}`, `${operation}.tar`);
  const stateOf = async () => ({
    tree: treeOf(site),
    options: await fleet.query(
      site,
      "select option_name, option_value from wp_options where option_name not like '%transient%' and option_name <> 'cron' order by 1",
    ),
  });
  const hasDownload = ({ operation }: ChangeOrder) => existsSync(join('/tmp', `vigie-${operation}`));
  const progressOf = (operation: string) => {
    try {
      return readFileSync(join(operations(), operation, 'run/progress'), 'utf8');
    } catch {
      return '';
    }
  };
  const killAt = async (order: ChangeOrder, words: string) => {
    const run = changes.change(order);
    await until(() => progressOf(order.operation).includes(words));
    killOperation(order.operation);
    return run;
  };

  it.each(['"is":"aside"', '"is":"changing"', 'Removing the old', 'Disabling'])(
    'is rolled back wherever it was killed: %s',
    async (words) => {
      const before = await stateOf();
      const order = changes.order(site, { action: 'update', item: 'plugin.vitrine', to: '1.3.0' });
      await killAt(order, words);
      // WordPress creates these files for a moment to test whether it may write.
      for (const folder of ['', 'wp-content']) writeFileSync(join(site.path, folder, 'temp-write-test-1'), '');
      expect((await changes.rollBack(order)).reader.end).toMatchObject({ is: 'done' });
      expect([await stateOf(), hasDownload(order)]).toEqual([before, false]);
      const again = await changes.rollBack(order);
      expect([again.reader.end?.is, await stateOf()]).toEqual(['done', before]);
      const page = await fetch(site.url);
      expect([page.status, (await page.text()).includes('vitrine 1.2.0')]).toEqual([200, true]);
    },
  );

  /** Everything that an update of WordPress may change. */
  const fullState = async () => {
    const tables = (await fleet.query(site, 'show tables')).flat();
    const others = tables.filter((name) => name !== 'wp_options').join(', ');
    const definitions = [
      'select trigger_name, action_statement from information_schema.triggers where trigger_schema = database()',
      'select constraint_name from information_schema.referential_constraints where constraint_schema = database()',
      'select table_name from information_schema.views where table_schema = database()',
    ];
    return {
      ...(await stateOf()),
      tables,
      sums: await fleet.query(site, `checksum table ${others}`),
      made: await Promise.all(definitions.map((sql) => fleet.query(site, sql))),
    };
  };
  const killDuringRollback = async (order: ChangeOrder, isTime: (progressOf: string) => boolean | Promise<boolean>) => {
    const others = new Set(readdirSync(operations()));
    const run = changes.rollBack(order);
    await until(async () => {
      for (const id of readdirSync(operations())) {
        const words = progressOf(id);
        if (
          others.has(id) ||
          !words.includes('"step":"back"') ||
          words.includes('"is":"done"') ||
          !(await isTime(words))
        )
          continue;
        killOperation(id);
        return true;
      }
      return false;
    });
    await run;
  };

  /** Makes WordPress sleep after its own update and its own request to upgrade the tables. */
  function pauseAfterUpdate() {
    const plugin = join(site.path, 'wp-content/mu-plugins/hold.php');
    const mark = join(site.path, 'wp-content/uploads/held');
    writeFileSync(
      plugin,
      `<?php add_action('_core_updated_successfully', function () { touch('${mark}'); sleep(600); });`,
    );
    return { isPaused: () => existsSync(mark), forget: () => rmSync(mark), end: () => rmSync(plugin) };
  }

  it('keeps later database writes if WordPress had not upgraded its tables', async () => {
    const pause = pauseAfterUpdate();
    const before = await fullState();
    fleet.wordpressOrg.core = fleet.versions.migrating;
    const order = changes.order(site, { action: 'update', item: 'core.wordpress', to: fleet.versions.migrating });
    const run = changes.change(order);
    await until(pause.isPaused);
    killOperation(order.operation);
    await run;
    pause.forget();
    await fleet.query(site, "insert into wp_links (link_name) values ('entre-temps')");
    expect((await changes.rollBack(order)).reader.end).toMatchObject({ is: 'done', to: fleet.versions.installed });
    expect(await fleet.query(site, 'select link_name from wp_links')).toEqual([['entre-temps']]);
    await fleet.query(site, 'truncate wp_links');
    expect(await fullState()).toEqual(before);
    pause.end();
  });

  /** Adds triggers, keys, views, sequences and neighbouring sites, some hidden from the site's own database user. */
  const addAwkwardObjects = () =>
    fleet.query(
      site,
      `create trigger pouls before insert on wp_links for each row set new.link_rating = 3;
       create table wp_notes (id int primary key, term bigint unsigned,
         constraint lien foreign key (term) references wp_terms (term_id));
       create table wp_lourd (id int primary key, text char(200)); insert into wp_lourd select seq, 'x' from seq_1_to_30000;
       create view wp_vue as select ID from wp_posts; create view wp_apart as select 1 as one;
       create sequence wp_numeros; create table wp_2_options like wp_options; create table wp_2_posts like wp_posts;
       create table wp_shop_options like wp_options; create table wp_shop_posts like wp_posts;
       create table wp_shop_x (id int); insert into wp_shop_x values (1); revoke show view on plain.* from plain@localhost; revoke show view on plain.* from plain@'%';`,
    );
  const removeAwkwardObjects = () =>
    fleet.query(
      site,
      `drop trigger pouls; drop table wp_notes, wp_lourd; drop view wp_vue, wp_apart; drop sequence wp_numeros;
       drop table wp_2_options, wp_2_posts, wp_shop_options, wp_shop_posts, wp_shop_x;
       grant all on plain.* to plain@localhost; grant all on plain.* to plain@'%';`,
    );

  it('rolls back WordPress and its tables together, however often the rollback is killed', async () => {
    await addAwkwardObjects();
    const before = await fullState();
    // A killed attempt to test whether tables can be restored leaves this table.
    await fleet.query(site, 'create table vgr0123456789ab_there (id int)');
    fleet.wordpressOrg.core = fleet.versions.migrating;
    const change = { action: 'update', item: 'core.wordpress', to: fleet.versions.migrating } as const;
    const timed = timedPhp(fleet);
    const order = { ...changes.order(site, change), php: timed.path };
    await killAt(order, '"step":"database"');
    // The first limit is the default: the size of the database is not known yet.
    const [first = 0, ...limits] = timed.limits();
    expect([first, limits.length > 1, limits.every((limit) => limit > first)]).toEqual([600, true, true]);
    // Changes that an update might have made to the tables.
    await fleet.query(
      site,
      `alter table wp_posts add tide int not null default 1; create table wp_tides (id int);
       update wp_options set option_value = 'marée' where option_name = 'blogname'; delete from wp_comments;
       insert into wp_shop_x values (2); create table wp_2_new (id int); alter table wp_2_posts add own int;`,
    );
    // An automatic rollback never discards ten minutes of writes.
    utimesSync(copyOf(order).replace(/tar$/, 'part'), 1, 1);
    const late = await changes.rollBack(order, 10);
    expect(late.reader).toMatchObject({
      end: { code: 'not_rolled_back', rollbackCopy: { has_tables: true } },
      hasTablesBack: false,
    });
    await killDuringRollback(order, (words) => words.includes('"step":"tables-back"'));
    // Now the files are in place, and the tables wait for the reader who locks one of them.
    const reading = fleet.query(site, 'lock tables wp_options read; select sleep(170)').catch(() => []);
    await killDuringRollback(order, async () => (await processes('RENAME TABLE%')).length > 0);
    for (const [id] of await processes('select sleep(170)')) await fleet.query(site, `kill ${id}`);
    await reading;
    const rollback = (await changes.rollBack(order, 10)).reader;
    expect(rollback).toMatchObject({ end: { is: 'done', to: fleet.versions.installed }, hasTablesBack: true });
    // Changes that neighbouring sites made meanwhile survive.
    const neighbourQuery = 'select id from wp_shop_x; select count(*) from wp_2_new; select count(own) from wp_2_posts';
    expect(await fleet.query(site, neighbourQuery)).toEqual([['1'], ['2'], ['0'], ['0']]);
    await fleet.query(site, 'delete from wp_shop_x where id = 2; drop table wp_2_new; alter table wp_2_posts drop own');
    expect(await fullState()).toEqual(before);
    const bytes = late.reader.end?.is === 'failed' ? late.reader.end.rollbackCopy?.bytes : undefined;
    expect(timed.limits().at(-1)).toBe(601 + Math.floor((bytes ?? 0) / 1_048_576));
    expect((await fetch(site.url)).status).toBe(200);
    // A caller that missed the answer may ask again.
    await fleet.query(site, "insert into wp_links (link_name) values ('depuis')");
    expect((await changes.rollBack(order)).reader).toMatchObject({ end: { is: 'done' }, hasTablesBack: false });
    expect(await fleet.query(site, 'select link_name, link_rating from wp_links')).toEqual([['depuis', '3']]);
    await fleet.query(site, 'truncate wp_links');
    await removeAwkwardObjects();
    expect(readdirSync(site.path).filter((name) => /^\.(vigie|maintenance)/.test(name))).toEqual([]);
  });
  const processes = (like: string) =>
    fleet.query(
      site,
      `select id from information_schema.processlist where info like '${like}' and id <> connection_id()`,
    );

  /** A PHP before 8.1, which has no fsync. */
  const oldPhp = () => {
    const path = join(fleet.host.homeOf('deploy'), 'old-php');
    writeFileSync(path, '#!/bin/sh\nexec /usr/bin/php -d disable_functions=fsync "$@"\n', { mode: 0o755 });
    return path;
  };

  it('never uses a truncated or modified copy', async () => {
    const order = {
      ...changes.order(site, { action: 'update', item: 'plugin.formulaire', to: '2.1.0' }),
      php: oldPhp(),
    };
    expect((await changes.change(order)).reader.end).toMatchObject({ is: 'done' });
    const after = await stateOf();
    const whole = readFileSync(copyOf(order));
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(3_000) ^ 1, 3_000);
    const damages = [
      () => truncateSync(copyOf(order), whole.length - 2_048),
      () => writeFileSync(copyOf(order), flipped),
    ];
    for (const damage of damages) {
      damage();
      expect((await changes.rollBack(order)).reader.end).toMatchObject({ is: 'failed', code: 'not_rolled_back' });
      expect(await stateOf()).toEqual(after);
    }
    writeFileSync(copyOf(order), whole);
    expect((await changes.rollBack(order)).reader.end).toMatchObject({ is: 'done', to: '2.0.1' });
  });

  it('restores hostile names, modes and links exactly', async () => {
    const folder = join(site.path, 'wp-content/plugins/relais');
    const names = [
      ' ',
      'd’été "l\'1"',
      'à\nla ligne',
      '🎉',
      '-rf',
      '$(id)',
      'x'.repeat(200),
      `${'y'.repeat(120)}/${'z'.repeat(120)}`,
    ];
    for (const name of names) {
      const path = join(folder, name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, name, { mode: 0o640 });
    }
    symlinkSync('relais.php', join(folder, 'lien'));
    mkdirSync(join(folder, 'vide'));
    execFileSync('chown', ['-Rh', `${owner.uid}:${owner.gid}`, folder]);
    chmodSync(join(folder, '🎉'), 0o444);
    const before = await stateOf();
    const order = changes.order(site, { action: 'update', item: 'plugin.relais', to: '1.0' });
    expect((await changes.change(order)).reader.end).toMatchObject({ is: 'done', to: '1.0' });
    expect(treeOf(site)).not.toBe(before.tree);
    const listed = execFileSync('tar', ['tf', copyOf(order)], { encoding: 'utf8' });
    expect(listed).toMatch(/^vigie\.json\n[^]*vigie\.end\n$/);
    expect((await changes.rollBack(order)).reader.end).toMatchObject({ is: 'done', to: '0.9' });
    expect(await stateOf()).toEqual(before);
    chownSync(folder, owner.uid, owner.gid);
  });

  it('restores what a killed rollback had moved away and not replaced', async () => {
    const plugins = join(site.path, 'wp-content/plugins');
    const staging = join(plugins, `.vigie-${randomUUID()}`);
    mkdirSync(join(staging, 'old'), { recursive: true });
    renameSync(join(plugins, 'relais'), join(staging, 'old/relais'));
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, staging]);
    const order = changes.order(site, { action: 'update', item: 'plugin.vitrine', to: '1.3.0' });
    utimesSync(staging, 1, 1);
    expect((await changes.change(order)).reader.end).toMatchObject({ is: 'done' });
    expect(readdirSync(plugins).filter((name) => /^(relais|\.vigie)/.test(name))).toEqual(['relais']);
    await changes.rollBack(order);
  });

  /** Mounts a small disk for the plugins, which fills up to 8 KiB once the old version is deleted. */
  function mountFullDisk() {
    const plugins = join(site.path, 'wp-content/plugins');
    const saved = join(site.path, 'plugins');
    renameSync(plugins, saved);
    mkdirSync(plugins);
    const size = `size=24m,uid=${owner.uid},gid=${owner.gid},mode=755`;
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'none', plugins]).status === 0;
    execFileSync('cp', ['-a', `${saved}/.`, plugins]);
    const fill = `<?php add_filter('upgrader_clear_destination', function ($done) {
      $file = fopen('${plugins}/.fill', 'wb');
      while (@fwrite($file, str_repeat('x', 4096)) === 4096);
      ftruncate($file, ftell($file) - 8192);
      return $done;
    }, PHP_INT_MAX);`;
    const plugin = join(site.path, 'wp-content/mu-plugins/fill.php');
    writeFileSync(plugin, fill);
    return {
      isMounted,
      end: () => {
        rmSync(plugin);
        spawnSync('umount', ['-l', plugins]);
        rmSync(plugins, { recursive: true });
        renameSync(saved, plugins);
      },
    };
  }

  it('rolls back and reports a full disk, if the old version still fits', async () => {
    const plugin = join(site.path, 'wp-content/plugins/vitrine');
    for (const name of ['assets', 'readme.txt']) rmSync(join(plugin, name), { recursive: true });
    const before = treeOf(site);
    const disk = mountFullDisk();
    try {
      if (!disk.isMounted) return;
      const order = changes.order(site, { action: 'update', item: 'plugin.vitrine', to: '1.3.0' });
      const { reader, printed } = await changes.change(order);
      expect([reader.end, printed]).toMatchObject([
        { is: 'failed', code: 'failed', touched: true },
        expect.any(String),
      ]);
      expect(readdirSync(plugin)).not.toEqual([]);
      expect((await changes.rollBack(order)).reader.end).toMatchObject({ is: 'done', to: '1.2.0' });
      expect(readFileSync(join(plugin, 'vitrine.php'), 'utf8')).toContain('Version: 1.2.0');
      expect((await fetch(site.url)).status).toBe(200);
    } finally {
      disk.end();
    }
    expect(treeOf(site)).toBe(before);
  });
});
