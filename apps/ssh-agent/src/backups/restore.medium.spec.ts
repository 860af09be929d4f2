import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
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
  writeFileSync,
} from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { fragileTables } from '@vigie/testing/fleet/fragile-tables';
import { archivesIn } from '@vigie/testing/packs';
import { codeOf, folderOf, sha256Of, write, RestoreStage } from '@vigie/testing/restores';
import { runForTests } from '../jobs/run-for-tests';
import { backupsJobs } from './backups.jobs';

const describeFleet = onFleet(describe);

describeFleet('a restore', () => {
  let stage: RestoreStage;
  beforeAll(async () => {
    stage = await RestoreStage.start(['plain', 'awkward', 'multisite'], (connections) => {
      const openStore = () => Promise.reject(new Error('no store here'));
      const handlers = backupsJobs(connections, { openStore, ruleFor: () => () => true });
      return (job) => runForTests(handlers, job);
    });
  });
  afterAll(() => stage?.close());

  it('restores a wrecked site: its files and rows are those of the archive', async () => {
    const site = stage.fleet.site('awkward');
    const [[table = '']] = (await stage.fleet.query(site, `show tables like '%postmeta'`)) as [string[]];
    const prefix = table.slice(0, -'postmeta'.length);
    const long = `${prefix}${'l'.repeat(64 - prefix.length)}`;
    await stage.fleet.query(
      site,
      `${fragileTables(prefix)} create table ${long} (id int); insert into ${long} values (7);
       create table ${prefix}anchors (port int, constraint \`une ancre\` foreign key (port) references ${prefix}ports (id) on delete cascade);`,
    );
    utimesSync(write(site, 'uploads/2020/01/vieux été.txt', 'ancien'), 1_600_000_000, 1_600_000_000);
    const filename = await stage.pack(site);
    const before = await stage.contents(site);
    await stage.wreck(site, prefix);
    // An old maintenance file no longer closes the site, and must not prevent closing it.
    const maintenance = join(site.path, '.maintenance');
    writeFileSync(maintenance, '<?php $upgrading = 1600000000;');
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
      'Base de données',
      'Fichiers',
      'Échange',
      'Démarrage de WordPress',
      'Rangement',
    ]);
    const after = await stage.contents(site);
    expect(after.rows).toEqual(before.rows);
    expect(after.files).toEqual(before.files);
    expect([existsSync(maintenance), await stage.leftovers(site)]).toEqual([false, []]);
    // The other archive is the safety backup of the wrecked site.
    expect(archivesIn(folderOf(site))).toEqual(expect.arrayContaining([filename, expect.stringMatching(/^site-/)]));
    expect(archivesIn(folderOf(site))).toHaveLength(2);
  });

  it('keeps files that are not in the archive when it merges, and is undone by its safety backup', async () => {
    const site = stage.plain;
    const uploads = { upload_path: 'wp-content/uploads', upload_url_path: `${site.url}/photos` };
    for (const [name, value] of Object.entries(uploads))
      await stage.fleet.query(site, `update wp_options set option_value = '${value}' where option_name = '${name}'`);
    const [rows, filename] = [await stage.rowsOf(site), await stage.pack(site)];
    await stage.wreck(site, 'wp_');
    const wrecked = await stage.contents(site);
    const { safety } = (await stage.completeRestore(site, filename)) as { safety: { filename: string } };
    expect(existsSync(join(contentOf(site), 'uploads/intrus.php'))).toBe(true);
    expect(existsSync(join(contentOf(site), 'plugins/vitrine/vitrine.php'))).toBe(true);
    expect(await stage.fleet.query(site, `show tables like 'wp_intrus'`)).toHaveLength(1);
    await stage.completeRestore(site, safety.filename, { mode: 'replace' });
    expect(await stage.contents(site)).toEqual(wrecked);
    // Only the archive knows the address of a site that has lost its tables.
    const tables = (await stage.fleet.query(site, 'show tables')).flat();
    await stage.fleet.query(site, `drop table ${tables.join(', ')}`);
    await stage.completeRestore(site, filename, { mode: 'replace' });
    expect(existsSync(join(contentOf(site), 'uploads/intrus.php'))).toBe(false);
    expect([await stage.rowsOf(site), await codeOf(site)]).toEqual([rows, 200]);
  });

  it('moves a site to another address, prefix and path without breaking serialized values', async () => {
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
    const stray = strayRestoreState(from, to);
    await stage.completeRestore(to, filename, { mode: 'replace' });
    expect([await codeOf(to), existsSync(stray.kept)]).toEqual([200, true]);
    stray.remove();
    expect(
      await stage.fleet.runPhp(to, `return [get_option('adresses'), get_option('home'), current_user_can('x')];`),
    ).toEqual([{ page: `${to.url}/été`, deep: `a:1:{i:0;s:${to.url.length}:"${to.url}";}` }, to.url, false]);
    const tables = (await stage.fleet.query(to, 'show tables')).flat();
    for (const table of tables) {
      const rows = await stage.fleet.query(to, `select * from \`${table}\``).catch(() => []);
      expect([table, rows.flat().filter((value) => value.includes(new URL(from.url).host))]).toEqual([table, []]);
    }
  });

  /** Writes the state of a restore of one site into another site, which was copied from it meanwhile. */
  function strayRestoreState(origin: FleetSite, copy: FleetSite) {
    const id = randomUUID();
    const areas = [{ root: contentOf(origin), stage: join(contentOf(origin), `.vigie-restore-${id}`) }];
    const facts = { home: 'of the other one', began: true, tables: [], views: [], note: [], safety: null };
    const folder = join(contentOf(copy), `.vigie-swap-${id}`);
    write(copy, `.vigie-swap-${id}/facts.json`, JSON.stringify({ areas, facts }));
    write(copy, `.vigie-swap-${id}/moves`, 'p0 uploads/garde.txt\0');
    return { kept: write(origin, 'uploads/garde.txt', 'gardé'), remove: () => rmSync(folder, { recursive: true }) };
  }

  it('packs a network whose tables name another domain, and restores it', async () => {
    const site = stage.fleet.site('multisite');
    const before = await stage.contents(site);
    const filename = await stage.pack(site);
    await stage.fleet.query(site, `update wp_blogs set domain = 'ailleurs.invalid'`);
    // Wrong values in the tables are backed up as they are.
    await stage.pack(site);
    expect(await stage.completeRestore(site, filename, { mode: 'replace' })).toMatchObject({
      warnings: [],
      http_status: 200,
    });
    expect(await stage.contents(site)).toEqual(before);
  });

  it('restores a network with subdomains under another domain', async () => {
    const site = stage.fleet.site('multisite');
    const { port } = new URL(site.url);
    const query = (sql: string) => stage.fleet.query(site, sql);
    const [old, now] = [`ancien.localhost:${port}`, `localhost:${port}`];
    const oldSite = await renameNetwork(site, old);
    await query(`update wp_2_posts set post_content = 'http://voisin.${old}/photo' where ID = 1`);
    write(site, 'uploads/sites/2/photo.txt', 'une photo');
    const [filename, posts] = [await stage.pack(oldSite), await query('checksum table wp_posts, wp_2_terms')];
    const newSite = await renameNetwork(site, now);
    await query('delete from wp_posts; delete from wp_2_posts; drop table wp_2_terms, wp_2_options');
    // A site whose tables cannot be read is not backed up as if it were complete.
    await expect(stage.pack(newSite)).rejects.toThrow('wp_2_options');
    // WordPress itself stops without these tables.
    await query('drop table wp_blogs, wp_site');
    const neighbours = ['wp_7_options', 'wp_7_posts'];
    for (const name of neighbours) await query(`create table ${name} (id int)`);
    rmSync(join(contentOf(site), 'uploads/sites'), { recursive: true });
    expect(await stage.completeRestore(newSite, filename, { mode: 'replace' })).toMatchObject({
      warnings: [],
      http_status: 200,
    });
    expect(await query('select domain, path from wp_blogs order by blog_id')).toEqual([
      [now, '/'],
      [`voisin.${now}`, '/'],
    ]);
    const moved = await query(
      "select post_content from wp_2_posts where ID = 1; select option_value from wp_2_options where option_name = 'home'",
    );
    expect(moved).toEqual([[`http://voisin.${now}/photo`], [`http://voisin.${now}`]]);
    expect(await query('checksum table wp_posts, wp_2_terms')).toEqual(posts);
    expect(existsSync(join(contentOf(site), 'uploads/sites/2/photo.txt'))).toBe(true);
    // These tables belong to another installation: the archive does not list them as a site of the network.
    expect((await query("show tables like 'wp\\_7\\_%'")).flat()).toEqual(neighbours);
    await query(`drop table ${neighbours.join(', ')}`);
    const title = async (host: string) => /<title>([^<]*)/.exec(await pageOf(host))?.[1];
    expect(await title(`voisin.${now}`)).toMatch(/^Voisin/);
    expect([await title(now), await stage.leftovers(site)]).toEqual([expect.not.stringMatching(/^Voisin/), []]);
  });

  /** Gives the network another domain, and its sites subdomains of it. */
  async function renameNetwork(site: FleetSite, host: string): Promise<FleetSite> {
    const config = join(site.path, 'wp-config.php');
    const text = readFileSync(config, 'utf8')
      .replace("'SUBDOMAIN_INSTALL', false", "'SUBDOMAIN_INSTALL', true")
      .replace(/('DOMAIN_CURRENT_SITE', ')[^']*/, `$1${host}`);
    writeFileSync(config, text);
    const addresses = "where option_name in ('siteurl', 'home')";
    await stage.fleet.query(
      site,
      `update wp_site set domain = '${host}'; update wp_sitemeta set meta_value = 'http://${host}/' where meta_key = 'siteurl';
       update wp_blogs set domain = if(blog_id = 1, '${host}', 'voisin.${host}'), path = '/';
       update wp_options set option_value = 'http://${host}' ${addresses};
       update wp_2_options set option_value = 'http://voisin.${host}' ${addresses};`,
    );
    return { ...site, url: `http://${host}` };
  }

  /** The page of that host name, read from this machine without resolving it. */
  const pageOf = async (host: string) => {
    const port = Number(host.split(':')[1]);
    const [response] = (await once(get({ host: '127.0.0.1', port, headers: { host } }), 'response')) as [
      IncomingMessage,
    ];
    return (await response.setEncoding('utf8').toArray()).join('');
  };

  it.each(['database', 'uploads', 'plugins'] as const)('restores a part of it: %s', async (scope) => {
    const site = stage.plain;
    write(site, 'uploads/photo.txt', 'une photo');
    const filename = await stage.pack(site);
    write(site, 'uploads/intrus.php', '<?php');
    write(site, 'plugins/intrus/intrus.php', '<?php');
    await stage.fleet.query(site, `update wp_options set option_value = 'Autre' where option_name = 'blogname'`);
    await stage.completeRestore(site, filename, { mode: 'replace', scope });
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

  it('restores one plugin, one file or one table, and nothing else', async () => {
    const site = stage.plain;
    write(site, 'uploads/deux/a.txt', 'un');
    write(site, 'uploads/deux/b.txt', 'un');
    const filename = await stage.pack(site);
    const main = join(contentOf(site), 'plugins/vitrine/vitrine.php');
    const original = sha256Of(main);
    write(site, 'plugins/vitrine/vitrine.php', '<?php // gâché');
    rmSync(join(contentOf(site), 'uploads/deux/a.txt'));
    write(site, 'uploads/deux/b.txt', 'deux');
    await stage.fleet.query(
      site,
      `delete from wp_comments; delete from wp_links; update wp_posts set post_title = 'x'`,
    );
    const file = { scope: 'path', path: 'uploads/deux/a.txt' } as const;
    const { safety } = (await stage.completeRestore(site, filename, file)) as { safety: { filename: string } };
    const textOf = (name: string) => readFileSync(join(contentOf(site), `uploads/deux/${name}.txt`), 'utf8');
    expect([textOf('a'), textOf('b'), sha256Of(main) === original]).toEqual(['un', 'deux', false]);
    // Undoing it removes that file again, which was not there before.
    await stage.completeRestore(site, safety.filename, { ...file, mode: 'replace' });
    expect([readdirSync(join(contentOf(site), 'uploads/deux')), textOf('b')]).toEqual([['b.txt'], 'deux']);
    await stage.completeRestore(site, filename, { scope: 'path', path: 'plugins/vitrine' });
    expect(sha256Of(main)).toBe(original);
    await stage.completeRestore(site, filename, { scope: 'table', path: 'SERVMASK_PREFIX_posts' });
    expect(await stage.fleet.query(site, `select count(*) from wp_posts where post_title = 'x'`)).toEqual([['0']]);
    expect(await stage.fleet.query(site, 'select count(*) from wp_comments')).toEqual([['0']]);
  });
});
