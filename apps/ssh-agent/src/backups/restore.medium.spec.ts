import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SshAccess } from '@vigie/contracts/credentials';
import type { RestoreInput } from '@vigie/contracts/restores';
import { connect } from '@vigie/ssh/connection';
import { SshPool } from '@vigie/ssh/pool';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { tornTables } from '@vigie/testing/fleet/torn';
import { killOperation } from '@vigie/testing/operations';
import { archivesIn, backupsOf, filesBelow } from '@vigie/testing/packs';
import { until } from '@vigie/testing/until';
import { anArchive, someAbout } from '@vigie/testing/wpress';
import { drive as driveJob, resultOf } from '../jobs/drive';
import type { JobHandlers, LetGo } from '../jobs/job-handler';
import { backupsJobs } from './backups.jobs';

const describeFleet = onFleet(describe);
const mega = 1_048_576;
/** What WordPress writes by itself, whenever it starts. */
const volatile = `option_name like '%transient%' or option_name in ('cron', 'rewrite_rules', 'recently_edited')`;

/** What is counted, who made it, and what the plugin's importer takes from no other server. */
const differing = / AUTO_INCREMENT=\d+| DEFINER=`[^`]*`@`[^`]*`| (?:TRANSACTIONAL|PAGE_CHECKSUM)=\d| ROW_FORMAT=PAGE/g;

describeFleet('a restore', () => {
  let fleet: Fleet;
  let handlers: JobHandlers;
  const pool = new SshPool();
  const access = { host: 'h', row: { table: 'servers', id: randomUUID() }, allows_private: true } as SshAccess;

  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain', 'awkward'] });
    const auth = { privateKey: fleet.host.privateKey };
    const { port } = fleet.host;
    const target = { host: '127.0.0.1', port, user: 'sh', auth, hostKey: null, mayConnect: () => true };
    handlers = backupsJobs(
      {
        use: async <T>(_: SshAccess, { signal, work }: { signal: AbortSignal; work: (on: never) => Promise<T> }) =>
          pool.use('fleet', target, async (connection) => work(connection as never), { signal }),
        open: (_: SshAccess, signal: AbortSignal) => connect(target, { signal }),
      },
      { openStore: () => Promise.reject(new Error('no store here')), ruleFor: () => () => true },
    );
  });
  // WordPress adds to its options what it misses at the first visit of all.
  beforeAll(async () => {
    for (const { url } of fleet.sites) await fetch(url);
  });
  afterAll(async () => {
    await pool.close();
    await fleet?.close();
  });

  const folderOf = (site: FleetSite) => backupsOf(contentOf(site));
  const aName = () => `site-20260101-000000-${randomUUID().slice(0, 8)}.wpress`;
  const inputOf = ({ path, url }: FleetSite, filename: string, more: Partial<RestoreInput> = {}): RestoreInput => ({
    site: { id: randomUUID(), version: 1, path, url, php: '/usr/bin/php' },
    content: null,
    filename,
    exclude_cache: true,
    location: 'remote',
    object: null,
    mode: 'merge',
    scope: 'all',
    path: '',
    safety: aName(),
    ...more,
  });

  async function pack(site: FleetSite): Promise<string> {
    const filename = aName();
    resultOf(await driveJob(handlers, { kind: 'backups.create', input: inputOf(site, filename), access }));
    return filename;
  }

  type Told = (step: string | undefined) => LetGo | undefined;
  const restore = (
    site: FleetSite,
    filename: string,
    more: Partial<RestoreInput> = {},
    told?: Told,
    id = randomUUID(),
  ) =>
    driveJob(handlers, {
      kind: 'backups.restore',
      input: inputOf(site, filename, more),
      access,
      id,
      ...(told && { onTold: (progress) => told(progress?.step) }),
    });

  const sha = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const filesOf = (site: FleetSite) =>
    filesBelow(contentOf(site), (path) => path === 'ai1wm-backups' || /^(upgrade|cache)$/.test(path))
      .map(({ path, mtime, real }) => `${path} ${mtime} ${sha(real)}`)
      .toSorted();

  /** How each table is made and what is in it; how each view and trigger is made. */
  async function rowsOf(site: FleetSite): Promise<string[]> {
    const all: string[] = [];
    for (const [name, kind] of await fleet.query(site, 'show full tables')) {
      const quoted = `\`${name}\``;
      const [made] = await fleet.query(site, `show create ${kind === 'VIEW' ? 'view' : 'table'} ${quoted}`);
      all.push(`${name} ${made?.[1]?.replace(differing, '').replace('=Aria', '=MyISAM')}`);
      if (kind === 'VIEW') continue;
      const where = name?.endsWith('options') ? `where not (${volatile})` : '';
      const rows = await fleet.query(site, `select * from ${quoted} ${where}`);
      // Of a row that is there again it is no matter under which number of its own.
      const told = rows.map((row) => (where ? row.slice(1) : row).join('\t')).toSorted();
      all.push(`${name} ${rows.length} ${createHash('sha256').update(told.join('\n')).digest('hex')}`);
    }
    const triggers = await fleet.query(site, 'show triggers');
    return [...all, ...triggers.map((trigger) => trigger.slice(0, 5).join(' ').replaceAll('`', ''))].toSorted();
  }

  const whole = async (site: FleetSite) => ({ files: filesOf(site), rows: await rowsOf(site) });
  const codeOf = async ({ url }: FleetSite) => (await fetch(url, { redirect: 'manual' })).status;

  /** What a restore may leave nowhere. */
  async function leftOf(site: FleetSite): Promise<string[]> {
    const content = contentOf(site);
    const folders = [site.path, content, ...['uploads', 'plugins', 'themes'].map((name) => join(content, name))];
    const names = folders.flatMap((folder) => readdirSync(folder));
    const tables = (await fleet.query(site, 'show tables')).map(([name]) => String(name));
    return [
      ...names.filter((name) => /^\.(vigie|maintenance)/.test(name)),
      ...archivesIn(folderOf(site)).filter((name) => name.endsWith('.part')),
      ...tables.filter((name) => /^vg[ro]/.test(name)),
    ];
  }

  function write(site: FleetSite, path: string, text: string): string {
    const place = join(contentOf(site), path);
    const made = mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
    for (let own = place; own.length >= (made ?? place).length; own = dirname(own))
      chownSync(own, deploy.uid, deploy.gid);
    return place;
  }

  /** As somebody has it who comes back from holidays. */
  async function wreck(site: FleetSite, prefix: string): Promise<void> {
    // Of what is active and not there any more a restore makes nothing that is active.
    const off = `require_once ABSPATH . 'wp-admin/includes/plugin.php'; deactivate_plugins('vitrine/vitrine.php'); return 1;`;
    await fleet.ask(site, off);
    rmSync(join(contentOf(site), 'plugins/vitrine'), { recursive: true, force: true });
    rmSync(join(contentOf(site), 'themes/index.php'), { force: true });
    write(site, 'uploads/intrus.php', '<?php');
    write(site, 'plugins/intrus/intrus.php', '<?php /* Plugin Name: Intrus */');
    await fleet.query(
      site,
      `drop table ${prefix}postmeta; delete from ${prefix}posts; create table ${prefix}intrus (id int);
       update ${prefix}options set option_value = 'Piraté' where option_name = 'blogname';`,
    );
  }

  const plain = () => fleet.site('plain');

  it('brings a wrecked site back: its files and its rows are those of the archive', async () => {
    const site = fleet.site('awkward');
    const [[table = '']] = (await fleet.query(site, `show tables like '%postmeta'`)) as [string[]];
    const prefix = table.slice(0, -'postmeta'.length);
    const long = `${prefix}${'l'.repeat(64 - prefix.length)}`;
    await fleet.query(
      site,
      `${tornTables(prefix)} create table ${long} (id int); insert into ${long} values (7);
       create table ${prefix}anchors (port int, constraint \`une ancre\` foreign key (port) references ${prefix}ports (id) on delete cascade);`,
    );
    utimesSync(write(site, 'uploads/2020/01/vieux été.txt', 'ancien'), 1_600_000_000, 1_600_000_000);
    const filename = await pack(site);
    const before = await whole(site);
    await wreck(site, prefix);
    expect(await rowsOf(site)).not.toEqual(before.rows);
    const { outcome, steps } = await restore(site, filename, { mode: 'replace' });
    const result = resultOf({ outcome });
    expect(result).toMatchObject({ filename, mode: 'replace', warnings: [], http_status: 200 });
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
    const after = await whole(site);
    expect(after.rows).toEqual(before.rows);
    expect(after.files).toEqual(before.files);
    expect(await leftOf(site)).toEqual([]);
    const { filename: safety } = result['safety'] as { filename: string };
    expect(archivesIn(folderOf(site)).toSorted()).toEqual([filename, safety].toSorted());
  });

  it('leaves what is there and not in the archive where it is to be merged, and undoes itself by its safety backup', async () => {
    const site = plain();
    const filename = await pack(site);
    await wreck(site, 'wp_');
    const wrecked = await whole(site);
    const { safety } = resultOf(await restore(site, filename)) as { safety: { filename: string } };
    expect(existsSync(join(contentOf(site), 'uploads/intrus.php'))).toBe(true);
    expect(existsSync(join(contentOf(site), 'plugins/vitrine/vitrine.php'))).toBe(true);
    expect(await fleet.query(site, `show tables like 'wp_intrus'`)).toHaveLength(1);
    resultOf(await restore(site, safety.filename, { mode: 'replace' }));
    expect(await whole(site)).toEqual(wrecked);
    resultOf(await restore(site, filename, { mode: 'replace' }));
    expect(existsSync(join(contentOf(site), 'uploads/intrus.php'))).toBe(false);
  });

  it('moves to another address, prefix and path, and breaks nothing of what is written in it', async () => {
    const [from, to] = [plain(), fleet.site('awkward')];
    await fleet
      .query(
        from,
        `replace into wp_options (option_name, option_value, autoload) values
       ('adresses', 'a:2:{s:4:"page";s:${from.url.length + 4}:"${from.url}/été";s:4:"deep";s:${from.url.length + 14}:"a:1:{i:0;s:${from.url.length}:"${from.url}";}";}', 'no')`,
      )
      .catch(() => undefined);
    const deep = `a:1:{i:0;s:${from.url.length}:"${from.url}";}`;
    const text = `a:2:{s:4:"page";s:${Buffer.byteLength(`${from.url}/été`)}:"${from.url}/été";s:4:"deep";s:${deep.length}:"${deep}";}`;
    await fleet.query(from, `update wp_options set option_value = '${text}' where option_name = 'adresses'`);
    const filename = await pack(from);
    mkdirSync(folderOf(to), { recursive: true });
    const copy = join(folderOf(to), filename);
    copyFileSync(join(folderOf(from), filename), copy);
    chownSync(copy, deploy.uid, deploy.gid);
    chmodSync(copy, 0o644);
    resultOf(await restore(to, filename, { mode: 'replace' }));
    expect(await codeOf(to)).toBe(200);
    expect(await fleet.ask(to, `return [get_option('adresses'), get_option('home'), current_user_can('x')];`)).toEqual([
      { page: `${to.url}/été`, deep: `a:1:{i:0;s:${to.url.length}:"${to.url}";}` },
      to.url,
      false,
    ]);
    const tables = (await fleet.query(to, 'show tables')).flat();
    for (const table of tables) {
      const rows = await fleet.query(to, `select * from \`${table}\``).catch(() => []);
      expect([table, rows.flat().filter((value) => value.includes(new URL(from.url).host))]).toEqual([table, []]);
    }
  });

  it.each(['database', 'uploads', 'plugins'] as const)('brings a part of it back: %s', async (scope) => {
    const site = plain();
    write(site, 'uploads/photo.txt', 'une photo');
    const filename = await pack(site);
    const before = await whole(site);
    write(site, 'uploads/intrus.php', '<?php');
    write(site, 'plugins/intrus/intrus.php', '<?php');
    await fleet.query(site, `update wp_options set option_value = 'Autre' where option_name = 'blogname'`);
    resultOf(await restore(site, filename, { mode: 'replace', scope }));
    const title = (
      await fleet.query(site, `select option_value from wp_options where option_name = 'blogname'`)
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
    resultOf(await restore(site, filename, { mode: 'replace' }));
    expect(await whole(site)).toEqual(before);
  });

  it('brings one plugin, one file, one table back, and nothing else', async () => {
    const site = plain();
    write(site, 'uploads/deux/a.txt', 'un');
    write(site, 'uploads/deux/b.txt', 'un');
    const filename = await pack(site);
    const main = join(contentOf(site), 'plugins/vitrine/vitrine.php');
    const was = sha(main);
    write(site, 'plugins/vitrine/vitrine.php', '<?php // gâché');
    write(site, 'uploads/deux/a.txt', 'deux');
    write(site, 'uploads/deux/b.txt', 'deux');
    await fleet.query(site, `delete from wp_comments; delete from wp_links; update wp_posts set post_title = 'x'`);
    resultOf(await restore(site, filename, { scope: 'path', path: 'uploads/deux/a.txt' }));
    const texts = ['a', 'b'].map((name) => readFileSync(join(contentOf(site), `uploads/deux/${name}.txt`), 'utf8'));
    expect([texts, sha(main) === was]).toEqual([['un', 'deux'], false]);
    resultOf(await restore(site, filename, { scope: 'path', path: 'plugins/vitrine' }));
    expect(sha(main)).toBe(was);
    resultOf(await restore(site, filename, { scope: 'table', path: 'SERVMASK_PREFIX_posts' }));
    expect(await fleet.query(site, `select count(*) from wp_posts where post_title = 'x'`)).toEqual([['0']]);
    expect(await fleet.query(site, 'select count(*) from wp_comments')).toEqual([['0']]);
    resultOf(await restore(site, filename, { mode: 'replace' }));
  });

  it('that does not start is undone, and says why', async () => {
    const site = plain();
    const broken = write(site, 'mu-plugins/fatal.php', '<?php vigie_is_not_there();');
    const filename = await pack(site);
    rmSync(broken);
    const before = await whole(site);
    const { outcome } = await restore(site, filename, { mode: 'replace' });
    expect(outcome).toMatchObject({
      state: 'failed',
      error: { code: 'broken', message: expect.stringMatching(/ne démarre pas.*vigie_is_not_there/s) },
    });
    expect(await whole(site)).toEqual(before);
    expect([await leftOf(site), await codeOf(site)]).toEqual([[], 200]);
  });

  const killable = [
    'Lecture de la sauvegarde',
    'Sauvegarde de sécurité',
    'Fichiers',
    'Base de données',
    'Échange',
    'Démarrage de WordPress',
    'Rangement',
  ];
  it.each(killable)('that is killed is one side or the other: %s', async (step) => {
    const site = plain();
    const filename = await pack(site);
    const archived = await whole(site);
    await wreck(site, 'wp_');
    const wrecked = await whole(site);
    const id = randomUUID();
    let isKilled = false;
    const { outcome } = await restore(
      site,
      filename,
      { mode: 'replace' },
      (said) => {
        if (said === step && !isKilled) {
          isKilled = true;
          killOperation(id);
        }
        return undefined;
      },
      id,
    );
    const isDone = outcome !== 'cancelled' && outcome.state === 'succeeded';
    expect([isKilled, await whole(site)]).toEqual([true, isDone ? archived : wrecked]);
    expect(await leftOf(site)).toEqual([]);
    resultOf(await restore(site, filename, { mode: 'replace' }));
    expect([await whole(site), await codeOf(site)]).toEqual([archived, 200]);
  });

  it('is called off until the exchange, and not after it', async () => {
    const site = plain();
    const filename = await pack(site);
    await wreck(site, 'wp_');
    const wrecked = await whole(site);
    for (const step of ['Lecture de la sauvegarde', 'Sauvegarde de sécurité', 'Fichiers', 'Base de données']) {
      const { outcome } = await restore(site, filename, { mode: 'replace' }, (said) =>
        said === step ? 'cancelled' : undefined,
      );
      expect([step, outcome]).toEqual([step, 'cancelled']);
      expect([await whole(site), await leftOf(site)]).toEqual([wrecked, []]);
    }
    const late = await restore(site, filename, { mode: 'replace' }, (said) =>
      said === 'Échange' ? 'cancelled' : undefined,
    );
    resultOf(late);
    expect([await leftOf(site), await codeOf(site)]).toEqual([[], 200]);
  });

  it('writes through no link, and takes the place of one', async () => {
    const site = plain();
    write(site, 'uploads/lien/a.txt', 'archive');
    const filename = await pack(site);
    const outside = join(dirname(site.path), `dehors-${randomUUID()}`);
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.txt'), 'dehors');
    rmSync(join(contentOf(site), 'uploads/lien'), { recursive: true });
    symlinkSync(outside, join(contentOf(site), 'uploads/lien'));
    resultOf(await restore(site, filename));
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('dehors');
    expect(readFileSync(join(contentOf(site), 'uploads/lien/a.txt'), 'utf8')).toBe('archive');
  });

  it('refuses an archive that is damaged, or whose database is none, before anything is touched', async () => {
    const site = plain();
    const filename = await pack(site);
    const before = await whole(site);
    const place = join(folderOf(site), filename);
    const archives = archivesIn(folderOf(site));
    const bytes = readFileSync(place);
    const lies: [Buffer, string][] = [
      [bytes.subarray(0, bytes.length - 5_000), 'damaged_archive'],
      [Buffer.from(bytes).fill(0x41, bytes.length / 2, bytes.length / 2 + 1), 'damaged_archive'],
      [await anArchive({ about: someAbout, files: { 'database.sql': "GRANT ALL ON *.* TO 'x'@'%';\n" } }), 'sql'],
      [
        await anArchive({ about: someAbout, files: { '../x.php': '<?php' } }).catch(() => Buffer.alloc(9_000)),
        'damaged_archive',
      ],
    ];
    for (const [lie, code] of lies) {
      writeFileSync(place, lie);
      const { outcome } = await restore(site, filename);
      expect(outcome).toMatchObject({ state: 'failed', error: { code } });
      expect([await whole(site), await leftOf(site), archivesIn(folderOf(site))]).toEqual([before, [], archives]);
    }
  });

  it('leaves the tables of another WordPress in the same database alone', async () => {
    const site = plain();
    await fleet.query(
      site,
      ['options', 'posts', 'users']
        .map((name) => `create table wp_voisin_${name} (id int); insert into wp_voisin_${name} values (1);`)
        .join(' '),
    );
    const filename = await pack(site);
    await fleet.query(site, 'insert into wp_voisin_posts values (2)');
    const { warnings } = resultOf(await restore(site, filename, { mode: 'replace' }));
    expect(warnings).toEqual([expect.stringContaining('voisin_posts')]);
    expect(await fleet.query(site, 'select count(*) from wp_voisin_posts')).toEqual([['2']]);
    await fleet.query(site, 'drop table wp_voisin_options, wp_voisin_posts, wp_voisin_users');
  });

  it('asks for the room that it takes before it begins', async () => {
    const site = plain();
    const large = write(site, 'uploads/grand.bin', '');
    truncateSync(large, 4 * mega);
    const filename = await pack(site);
    rmSync(large);
    const { outcome } = await restore(site, filename);
    resultOf({ outcome });
    await until(async () => (await leftOf(site)).length === 0);
  });
});
