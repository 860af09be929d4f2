import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SshFailure } from '@vigie/ssh/failure';
import { DiskStore } from '@vigie/files/disk-store';
import { FileStore } from '@vigie/files/file-store';
import { onFleet } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { archivesIn } from '@vigie/testing/packs';
import { codeOf, folderOf, RestoreStage, write } from '@vigie/testing/restores';
import { testFolder } from '@vigie/testing/test-folder';
import { until } from '@vigie/testing/until';
import { aDump, anArchive, defaultAbout } from '@vigie/testing/wpress';
import { runForTests } from '../jobs/run-for-tests';
import { backupsJobs } from './backups.jobs';

const describeFleet = onFleet(describe);

describeFleet('a restore into a site that has lost something', () => {
  let stage: RestoreStage;
  let store: FileStore;
  /** Called with each checkpoint of the job; the job is cancelled on its release if `isCancelledOnRelease`. */
  let onCheckpoint: ((checkpoint: Record<string, unknown>) => undefined) | undefined;
  let [isAway, isCancelledOnRelease] = [false, false];
  beforeAll(async () => {
    stage = await RestoreStage.start(['plain'], (connections) => {
      const use: typeof connections.use = (access, options) =>
        isAway ? Promise.reject(new SshFailure({ kind: 'locked', path: '/' })) : connections.use(access, options);
      const dependencies = { openStore: async () => store, ruleFor: () => () => true };
      const handlers = backupsJobs({ ...connections, use }, dependencies);
      const onReleased = () => {
        isAway = false;
        return isCancelledOnRelease ? ('cancelled' as const) : undefined;
      };
      return (job) =>
        runForTests(handlers, { ...job, onCheckpoint: (checkpoint) => onCheckpoint?.(checkpoint), onReleased });
    });
    write(stage.plain, 'uploads/2020/photo.txt', 'une photo');
  });
  afterAll(() => stage?.close());

  /** The plugins, themes and uploads, which a restore looks for. */
  function lookedUpPaths(): string[] {
    const namesIn = (path: string) => readdirSync(join(contentOf(stage.plain), path));
    const folders = ['plugins', 'themes', 'uploads', 'mu-plugins'].filter((name) => namesIn('.').includes(name));
    return folders.flatMap((folder) => [folder, ...namesIn(folder).map((name) => `${folder}/${name}`)]);
  }

  async function lookedUpOptions(): Promise<string[]> {
    const names = ['siteurl', 'home', 'active_plugins', 'template', 'stylesheet', 'upload_path', 'upload_url_path'];
    const more = ['blog_charset', 'db_version', 'wp_user_roles', 'rewrite_rules'];
    const list = [...names, ...more].map((name) => `'${name}'`).join(', ');
    return (
      await stage.fleet.query(stage.plain, `select option_name from wp_options where option_name in (${list})`)
    ).flat();
  }

  it('makes it equal to its archive, whichever folders, files, tables or options are missing', async () => {
    const site = stage.plain;
    const [paths, options] = [lookedUpPaths(), await lookedUpOptions()];
    const tables = (await stage.fleet.query(site, 'show tables')).flat();
    const [filename, before] = [await stage.pack(site), await stage.contents(site)];
    expect([paths.length > 8, tables.length > 8, options.length]).toEqual([true, true, 11]);
    // Each is removed once, two of each at a time, so that any of them that did not come back would show.
    const rounds = Math.ceil(Math.max(paths.length, tables.length, options.length) / 2);
    const lostIn = <T>(list: readonly T[], round: number) =>
      [round, round + rounds].flatMap((n) => list.slice(n, n + 1));
    for (let round = 0; round < rounds; round += 1) {
      const lost = { paths: lostIn(paths, round), tables: lostIn(tables, round), options: lostIn(options, round) };
      // A path in a folder that is lost as well would not be lost alone.
      expect(lost.paths.some((path) => lost.paths.includes(dirname(path)))).toBe(false);
      for (const path of lost.paths) rmSync(join(contentOf(site), path), { recursive: true });
      for (const name of lost.options)
        await stage.fleet.query(site, `delete from wp_options where option_name = '${name}'`);
      for (const name of lost.tables) await stage.fleet.query(site, `drop table ${name}`);
      const { outcome } = await stage.restore(site, filename, { mode: round % 2 === 0 ? 'replace' : 'merge' });
      expect([lost, outcome]).toMatchObject([lost, { state: 'succeeded' }]);
      const after = {
        ...(await stage.contents(site)),
        lost,
        code: await codeOf(site),
        left: await stage.leftovers(site),
      };
      expect(after).toEqual({ ...before, lost, code: 200, left: [] });
    }
  });

  it('restores a local archive into a site that has lost its whole content folder', async () => {
    const site = stage.plain;
    const [filename, before] = [await stage.pack(site), await stage.contents(site)];
    store = await DiskStore.open(pathToFileURL(testFolder('store')).href);
    const key = FileStore.newKey();
    const stored = await store.write(key, createReadStream(join(folderOf(site), filename)), 1e9);
    rmSync(contentOf(site), { recursive: true });
    const local = { location: 'local', object: { key, ...stored } } as const;
    expect(await stage.completeRestore(site, filename, local)).toMatchObject({ warnings: [], http_status: 200 });
    expect([await stage.contents(site), await stage.leftovers(site)]).toEqual([before, []]);
    expect(archivesIn(folderOf(site)).includes(filename)).toBe(false);
  });

  it('fails when a staged file disappears', async () => {
    const site = stage.plain;
    const [filename, before, id] = [await stage.pack(site), await stage.contents(site), randomUUID()];
    const photo = join(contentOf(site), `uploads/.vigie-restore-${id}/new/2020/photo.txt`);
    // Like a virus scanner, for as long as the restore runs.
    const scanner = setInterval(() => rmSync(photo, { force: true }), 1);
    const { outcome } = await stage.restore(site, filename, {}, undefined, id).finally(() => clearInterval(scanner));
    expect(outcome).toMatchObject({
      state: 'failed',
      error: { code: 'lost', message: expect.stringContaining('manquaient') },
    });
    expect([await stage.contents(site), await stage.leftovers(site)]).toEqual([before, []]);
  });

  it('keeps the site in maintenance for as long as the swap takes', async () => {
    const site = stage.plain;
    const [filename, before] = [await stage.pack(site), await stage.contents(site)];
    const holding = stage.fleet.query(site, 'lock tables wp_posts read; select sleep(170)').catch(() => []);
    const file = join(site.path, '.maintenance');
    const seconds = () => Number(/\d+/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '')?.[0] ?? 0);
    const wait = async () => {
      await until(() => seconds() > 0);
      // Ten minutes later WordPress would open the site again.
      const past = seconds() - 700;
      writeFileSync(file, `<?php $upgrading = ${past};`);
      await until(() => seconds() > past);
      const sleeping = "select id from information_schema.processlist where info = 'select sleep(170)'";
      for (const [pid] of await stage.fleet.query(site, sleeping)) await stage.fleet.query(site, `kill ${pid}`);
    };
    const [restored] = await Promise.all([stage.completeRestore(site, filename), wait(), holding]);
    expect(restored).toMatchObject({ http_status: 200 });
    expect([await stage.contents(site), await stage.leftovers(site)]).toEqual([before, []]);
  });

  it('refuses definitions that reach into another database, and row counts that its tables do not have', async () => {
    const site = stage.plain;
    const before = await stage.contents(site);
    const made = (Sql: string) => [{ Name: 'x', Table: 'x', Sql }];
    const database = { 'database.sql': aDump({ extra: 'un' }) };
    const trigger = 'CREATE TRIGGER `x` AFTER INSERT ON `SERVMASK_PREFIX_extra` FOR EACH ROW DELETE FROM mysql.user';
    const view = 'VIEW `SERVMASK_PREFIX_v` AS select `user` from `mysql`.`user`';
    const hostile = write(site, 'ai1wm-backups/hostile.wpress', '');
    const lies: [object, Record<string, string>, string][] = [
      [{ Database: { Triggers: made(trigger) } }, database, 'sql'],
      [{ Database: { Views: made(`CREATE ${view}`) } }, database, 'sql'],
      [{}, { 'database.sql': `${aDump({ extra: 'un' })}CREATE ${view};\n` }, 'sql'],
      [{ Tables: [{ Name: 'SERVMASK_PREFIX_extra', Rows: 2 }] }, database, 'lost'],
      [{ Tables: [{ Name: 'SERVMASK_PREFIX_posts', Rows: 1 }] }, {}, 'lost'],
    ];
    for (const [note, files, code] of lies) {
      writeFileSync(hostile, await anArchive({ about: { ...defaultAbout, Vigie: note }, files }));
      const { outcome } = await stage.restore(site, 'hostile.wpress');
      expect([note, outcome]).toMatchObject([note, { state: 'failed', error: { code } }]);
      expect([note, await stage.contents(site), await stage.leftovers(site)]).toEqual([note, before, []]);
    }
    expect((await stage.fleet.query(site, 'show triggers')).length).toBe(0);
    // A restore of files does not read the database of the archive.
    const about = { ...defaultAbout, Vigie: { Database: { Triggers: made(trigger) } } };
    writeFileSync(hostile, await anArchive({ about, files: { ...database, 'uploads/2020/photo.txt': 'une photo' } }));
    await stage.completeRestore(site, 'hostile.wpress', { scope: 'uploads' });
  });

  it('keeps a plugin active that the archive leaves out and the site has', async () => {
    const site = stage.plain;
    const [filename, before] = [await stage.pack(site), await stage.rowsOf(site)];
    const bytes = readFileSync(join(folderOf(site), filename));
    const contentOfEntry = (name: string) => {
      const from = bytes.indexOf(`${name}\0`);
      return bytes.subarray(
        from + 4_377,
        from + 4_377 + parseInt(bytes.toString('latin1', from + 255, from + 269), 10),
      );
    };
    const { Vigie: _, ...about } = JSON.parse(contentOfEntry('package.json').toString()) as Record<string, unknown>;
    const without = { ...about, ExcludedFiles: 'plugins/vitrine', NoThemes: true, NoMedia: true };
    const files = { 'database.sql': Buffer.from(contentOfEntry('database.sql')), 'plugins/index.php': '<?php' };
    const file = write(site, 'ai1wm-backups/sans.wpress', '');
    writeFileSync(file, await anArchive({ about: without, files }));
    const { warnings } = await stage.completeRestore(site, 'sans.wpress', { mode: 'replace' });
    // Plugins that the archive does not leave out are gone.
    expect(warnings).toEqual([expect.not.stringContaining('vitrine/vitrine.php')]);
    expect((await stage.fleet.runPhp(site, `return get_option('active_plugins');`)) as string[]).toContain(
      'vitrine/vitrine.php',
    );
    await stage.completeRestore(site, filename, { mode: 'replace' });
    expect(await stage.rowsOf(site)).toEqual(before);
  });

  it('takes the address in its configuration as its own', async () => {
    const site = stage.plain;
    const [filename, config] = [await stage.pack(site), join(site.path, 'wp-config.php')];
    const text = readFileSync(config, 'utf8');
    writeFileSync(config, text.replace('<?php', `<?php define('WP_HOME', '${site.url}');`));
    await stage.fleet.query(site, 'drop table wp_options');
    const { warnings } = await stage.completeRestore({ ...site, url: 'http://autre.invalid' }, filename);
    writeFileSync(config, text);
    expect(warnings).toEqual([expect.stringContaining('La page d’accueil')]);
  });

  it('fails when a view of the archive cannot be created, and says what is missing', async () => {
    const site = stage.plain;
    const file = write(site, 'ai1wm-backups/vue.wpress', '');
    const dump = `${aDump({ extra: 'un' })}CREATE VIEW \`SERVMASK_PREFIX_v\` AS select nothing from \`SERVMASK_PREFIX_extra\`;\n`;
    writeFileSync(file, await anArchive({ about: {}, files: { 'database.sql': dump } }));
    const { outcome } = await stage.restore(site, 'vue.wpress');
    const message = expect.stringMatching(/restauré depuis vue\.wpress, mais il lui manque.*wp_v.*nothing/);
    const safety = { filename: expect.stringMatching(/^site-/) };
    expect(outcome).toMatchObject({
      state: 'failed',
      error: { code: 'incomplete', message },
      result: { tables: 1, safety },
    });
    expect(await stage.fleet.query(site, 'select * from wp_extra')).toEqual([['un']]);
    await stage.fleet.query(site, 'drop table wp_extra');
  });

  it.each([false, true])(
    'leaves no copy when its host goes away before it starts: cancelled %s',
    async (isCancelled) => {
      const site = stage.plain;
      const filename = await stage.pack(site);
      store = await DiskStore.open(pathToFileURL(testFolder('store')).href);
      const key = FileStore.newKey();
      const stored = await store.write(key, createReadStream(join(folderOf(site), filename)), 1e9);
      rmSync(join(folderOf(site), filename));
      isCancelledOnRelease = isCancelled;
      onCheckpoint = (checkpoint) => {
        if ('path' in checkpoint) [isAway, onCheckpoint] = [true, undefined];
      };
      const { outcome } = await stage.restore(site, filename, { location: 'local', object: { key, ...stored } });
      isCancelledOnRelease = false;
      expect(outcome).toEqual(isCancelled ? 'cancelled' : expect.objectContaining({ state: 'succeeded' }));
      expect(archivesIn(folderOf(site))).not.toContain(filename);
    },
  );

  it('keeps the address of the archive when the site has lost its own, and says so', async () => {
    const site = stage.plain;
    const { host } = new URL(site.url);
    await stage.fleet.query(site, `update wp_posts set post_content = 'écrire à x@${host}' where ID = 1`);
    const [filename, rows] = [await stage.pack(site), await stage.rowsOf(site)];
    await stage.fleet.query(site, 'drop table wp_options');
    const { warnings } = await stage.completeRestore({ ...site, url: 'http://autre.invalid' }, filename);
    expect(warnings).toEqual([
      `Le site avait perdu son adresse\u00a0: il a pris celle de la sauvegarde, ${site.url}. Vigie connaît ce site à l’adresse http://autre.invalid\u00a0: corrigez celle qui n’est pas la bonne.`,
      expect.stringContaining('La page d’accueil ne répond pas'),
    ]);
    expect(await stage.rowsOf(site)).toEqual(rows);
  });

  it('warns of active plugins and a theme whose files are nowhere', async () => {
    const site = stage.plain;
    const [filename, before] = [await stage.pack(site), await stage.contents(site)];
    const themes = readdirSync(join(contentOf(site), 'themes')).filter((name) => !name.includes('.'));
    for (const path of ['plugins/vitrine', ...themes.map((name) => `themes/${name}`)])
      rmSync(join(contentOf(site), path), { recursive: true });
    const { warnings } = await stage.completeRestore(site, filename, { scope: 'database' });
    expect(warnings).toEqual([
      expect.stringMatching(/plugins sont actifs.*vitrine\/vitrine\.php/),
      expect.stringMatching(/thème/),
    ]);
    await stage.completeRestore(site, filename);
    expect(await stage.contents(site)).toEqual(before);
  });

  it.each([
    ['wp-config.php', 'Le site n’a plus de fichier wp-config.php'],
    ['wp-load.php', 'Aucun WordPress ne se trouve dans ce dossier'],
    ['wp-settings.php', 'Il manque un fichier à WordPress\u00a0: wp-settings.php'],
    ['wp-includes/version.php', 'Il manque un fichier à WordPress\u00a0: wp-includes/version.php'],
  ])('is refused without %s, which no archive holds, and changes nothing', async (path, sentence) => {
    const site = stage.plain;
    const [filename, before] = [await stage.pack(site), await stage.contents(site)];
    const moved = join(dirname(site.path), 'gardé.php');
    renameSync(join(site.path, path), moved);
    const { outcome } = await stage.restore(site, filename);
    renameSync(moved, join(site.path, path));
    expect(outcome).toMatchObject({ state: 'failed', error: { message: expect.stringContaining(sentence) } });
    expect(JSON.stringify(outcome)).not.toContain('relancez la sauvegarde');
    expect([await stage.contents(site), await stage.leftovers(site)]).toEqual([before, []]);
  });
});
