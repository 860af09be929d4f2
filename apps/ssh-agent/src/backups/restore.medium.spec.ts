import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf } from '@vigie/testing/fleet/sites';
import { tornTables } from '@vigie/testing/fleet/torn';
import { archivesIn } from '@vigie/testing/packs';
import { codeOf, folderOf, sha, write, RestoreStage } from '@vigie/testing/restores';
import { drive } from '../jobs/drive';
import { backupsJobs } from './backups.jobs';

const describeFleet = onFleet(describe);

describeFleet('a restore', () => {
  let stage: RestoreStage;
  beforeAll(async () => {
    stage = await RestoreStage.start(['plain', 'awkward'], (connections) => {
      const openStore = () => Promise.reject(new Error('no store here'));
      const handlers = backupsJobs(connections, { openStore, ruleFor: () => () => true });
      return (job) => drive(handlers, job);
    });
  });
  afterAll(() => stage?.close());

  it('brings a wrecked site back: its files and its rows are those of the archive', async () => {
    const site = stage.fleet.site('awkward');
    const [[table = '']] = (await stage.fleet.query(site, `show tables like '%postmeta'`)) as [string[]];
    const prefix = table.slice(0, -'postmeta'.length);
    const long = `${prefix}${'l'.repeat(64 - prefix.length)}`;
    await stage.fleet.query(
      site,
      `${tornTables(prefix)} create table ${long} (id int); insert into ${long} values (7);
       create table ${prefix}anchors (port int, constraint \`une ancre\` foreign key (port) references ${prefix}ports (id) on delete cascade);`,
    );
    utimesSync(write(site, 'uploads/2020/01/vieux été.txt', 'ancien'), 1_600_000_000, 1_600_000_000);
    const filename = await stage.pack(site);
    const before = await stage.whole(site);
    await stage.wreck(site, prefix);
    expect(await stage.rowsOf(site)).not.toEqual(before.rows);
    const { outcome, steps } = await stage.restore(site, filename, { mode: 'replace' });
    expect(outcome).toMatchObject({
      state: 'succeeded',
      result: { filename, mode: 'replace', warnings: [], http_status: 200 },
    });
    expect(steps).toEqual([
      'Vérifications',
      'Lecture de la sauvegarde',
      'Sauvegarde de sécurité',
      'Fichiers',
      'Base de données',
      'Échange',
      'Démarrage de WordPress',
      'Rangement',
    ]);
    const after = await stage.whole(site);
    expect(after.rows).toEqual(before.rows);
    expect(after.files).toEqual(before.files);
    expect(await stage.leftOf(site)).toEqual([]);
    // The other one is of the site as it was wrecked.
    expect(archivesIn(folderOf(site))).toEqual(expect.arrayContaining([filename, expect.stringMatching(/^site-/)]));
    expect(archivesIn(folderOf(site))).toHaveLength(2);
  });

  it('leaves what is there and not in the archive where it is to be merged, and undoes itself by its safety backup', async () => {
    const site = stage.plain;
    const filename = await stage.pack(site);
    await stage.wreck(site, 'wp_');
    const wrecked = await stage.whole(site);
    const { safety } = (await stage.restored(site, filename)) as { safety: { filename: string } };
    expect(existsSync(join(contentOf(site), 'uploads/intrus.php'))).toBe(true);
    expect(existsSync(join(contentOf(site), 'plugins/vitrine/vitrine.php'))).toBe(true);
    expect(await stage.fleet.query(site, `show tables like 'wp_intrus'`)).toHaveLength(1);
    await stage.restored(site, safety.filename, { mode: 'replace' });
    expect(await stage.whole(site)).toEqual(wrecked);
    await stage.restored(site, filename, { mode: 'replace' });
    expect(existsSync(join(contentOf(site), 'uploads/intrus.php'))).toBe(false);
  });

  it('moves to another address, prefix and path, and breaks nothing of what is written in it', async () => {
    const [from, to] = [stage.plain, stage.fleet.site('awkward')];
    const deep = `a:1:{i:0;s:${from.url.length}:"${from.url}";}`;
    const text = `a:2:{s:4:"page";s:${Buffer.byteLength(`${from.url}/été`)}:"${from.url}/été";s:4:"deep";s:${deep.length}:"${deep}";}`;
    const columns = 'option_name, option_value, autoload';
    await stage.fleet.query(from, `replace into wp_options (${columns}) values ('adresses', '${text}', 'no')`);
    const filename = await stage.pack(from);
    mkdirSync(folderOf(to), { recursive: true });
    const copy = join(folderOf(to), filename);
    copyFileSync(join(folderOf(from), filename), copy);
    chownSync(copy, deploy.uid, deploy.gid);
    chmodSync(copy, 0o644);
    await stage.restored(to, filename, { mode: 'replace' });
    expect(await codeOf(to)).toBe(200);
    expect(
      await stage.fleet.ask(to, `return [get_option('adresses'), get_option('home'), current_user_can('x')];`),
    ).toEqual([{ page: `${to.url}/été`, deep: `a:1:{i:0;s:${to.url.length}:"${to.url}";}` }, to.url, false]);
    const tables = (await stage.fleet.query(to, 'show tables')).flat();
    for (const table of tables) {
      const rows = await stage.fleet.query(to, `select * from \`${table}\``).catch(() => []);
      expect([table, rows.flat().filter((value) => value.includes(new URL(from.url).host))]).toEqual([table, []]);
    }
  });

  it.each(['database', 'uploads', 'plugins'] as const)('brings a part of it back: %s', async (scope) => {
    const site = stage.plain;
    write(site, 'uploads/photo.txt', 'une photo');
    const filename = await stage.pack(site);
    write(site, 'uploads/intrus.php', '<?php');
    write(site, 'plugins/intrus/intrus.php', '<?php');
    await stage.fleet.query(site, `update wp_options set option_value = 'Autre' where option_name = 'blogname'`);
    await stage.restored(site, filename, { mode: 'replace', scope });
    const title = (
      await stage.fleet.query(site, `select option_value from wp_options where option_name = 'blogname'`)
    )[0]?.[0];
    const there = ['uploads/intrus.php', 'plugins/intrus/intrus.php'].filter((path) =>
      existsSync(join(contentOf(site), path)),
    );
    expect([title === 'Autre', there]).toEqual(
      {
        database: [false, ['uploads/intrus.php', 'plugins/intrus/intrus.php']],
        uploads: [true, ['plugins/intrus/intrus.php']],
        plugins: [true, ['uploads/intrus.php']],
      }[scope],
    );
    for (const path of there) rmSync(join(contentOf(site), path));
  });

  it('brings one plugin, one file, one table back, and nothing else', async () => {
    const site = stage.plain;
    write(site, 'uploads/deux/a.txt', 'un');
    write(site, 'uploads/deux/b.txt', 'un');
    const filename = await stage.pack(site);
    const main = join(contentOf(site), 'plugins/vitrine/vitrine.php');
    const was = sha(main);
    write(site, 'plugins/vitrine/vitrine.php', '<?php // gâché');
    rmSync(join(contentOf(site), 'uploads/deux/a.txt'));
    write(site, 'uploads/deux/b.txt', 'deux');
    await stage.fleet.query(
      site,
      `delete from wp_comments; delete from wp_links; update wp_posts set post_title = 'x'`,
    );
    const file = { scope: 'path', path: 'uploads/deux/a.txt' } as const;
    const { safety } = (await stage.restored(site, filename, file)) as { safety: { filename: string } };
    const textOf = (name: string) => readFileSync(join(contentOf(site), `uploads/deux/${name}.txt`), 'utf8');
    expect([textOf('a'), textOf('b'), sha(main) === was]).toEqual(['un', 'deux', false]);
    // The way back from it: that file was not there.
    await stage.restored(site, safety.filename, { ...file, mode: 'replace' });
    expect([readdirSync(join(contentOf(site), 'uploads/deux')), textOf('b')]).toEqual([['b.txt'], 'deux']);
    await stage.restored(site, filename, { scope: 'path', path: 'plugins/vitrine' });
    expect(sha(main)).toBe(was);
    await stage.restored(site, filename, { scope: 'table', path: 'SERVMASK_PREFIX_posts' });
    expect(await stage.fleet.query(site, `select count(*) from wp_posts where post_title = 'x'`)).toEqual([['0']]);
    expect(await stage.fleet.query(site, 'select count(*) from wp_comments')).toEqual([['0']]);
  });
});
