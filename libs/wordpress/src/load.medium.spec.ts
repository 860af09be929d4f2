import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { awkwardTables } from '@vigie/testing/fleet/awkward';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet } from '@vigie/testing/fleet/machine';
import { fragileTables } from '@vigie/testing/fleet/fragile-tables';
import { create, forbiddenDumps, insert } from './load-forbidden';
import { LoadTests, siteAt } from './load-tests';
import { restoreSentence } from './restore-words';

const describeFleet = onFleet(describe);
const header = 4_377;
const mega = 1_048_576;
const stage = 'vgr1a2b3c_';

type Loaded = {
  tables: Record<string, { stage: string; rows: number }>;
  views: Record<string, string>;
  rows: number;
  heard: number;
  /** Other work that was done while the server wrote rows. */
  pieces: number;
  failed: { kind: string; name: string; words: string }[];
  memory: number;
  seconds: number;
};
type RefusedLoad = { stop: Record<string, string>; there: string[]; left: string[] };

describeFleet('a loaded dump', () => {
  let fleet: Fleet;
  let tests: LoadTests;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'] });
    tests = LoadTests.at(fleet.site('plain').path);
    await query("create database autre; grant all on autre.* to plain@'%'; grant all on autre.* to plain@localhost");
  });
  afterAll(async () => {
    tests?.close();
    await fleet?.close();
  });

  afterEach(() => void tests.ask([{ is: 'sweep', stage }], { database: 'autre' }));

  const query = (sql: string) => fleet.query(fleet.site('plain'), sql);
  const target = 'https://www.nouveau.fr/site';

  type Dump = string | { file: string; from: number };
  function load(dump: Dump, more: object = {}, settings: readonly string[] = []): Loaded & RefusedLoad {
    const source = typeof dump === 'string' ? { sql: dump } : dump;
    const order = { is: 'load', site: siteAt('neuf_', target), stage, pairs: {}, ...source, ...more };
    const [loaded] = tests.ask<Loaded & RefusedLoad>([order], { database: 'autre', settings });
    if (!loaded) throw new Error('no answer');
    return loaded;
  }

  describe('made by Vigie of an awkward database', () => {
    let packed: { about: { Vigie: { Tables: { Name: string; Rows: number }[] } } };
    let file: string;
    let loaded: Loaded;
    const long = `wp_${'n'.repeat(61)}`;
    beforeAll(async () => {
      const { prefix, path } = fleet.site('plain');
      await query(`${awkwardTables(prefix)}${fragileTables(prefix)}
        create table ${long} (id int primary key, port int, constraint \`nommée\` foreign key (port) references ${prefix}ports (id) on delete cascade);
        insert into ${long} values (1, 1);
        create table ${prefix}large (id int primary key, words varchar(200), key (words));
        insert into ${prefix}large select seq, concat('été ', repeat('x', 80), seq) from seq_1_to_20000;
        insert into ${prefix}usermeta (user_id, meta_key, meta_value) values (1, '${prefix}x', '${prefix}x');
        create table ${prefix}afar_away (id int) default charset utf8mb4 /*M!101001 collate utf8mb4_uca1400_as_cs */;`);
      file = join(tests.folder, 'dump');
      const order = { is: 'pack', site: siteAt(prefix, fleet.site('plain').url, path), file };
      [packed = packed] = tests.ask<typeof packed>([order], { database: 'plain' });
      // A longer prefix would make this table name too long.
      loaded = load({ file, from: header }, { site: siteAt('nv_', target), about: packed.about, swap: true });
    });

    it('has every row unchanged', async () => {
      const rows = Object.fromEntries(Object.entries(loaded.tables).map(([name, table]) => [name, table.rows]));
      const noted = packed.about.Vigie.Tables.map(({ Name, Rows }) => [Name.replace('SERVMASK_PREFIX_', 'nv_'), Rows]);
      expect(rows).toEqual(Object.fromEntries(noted));
      expect(loaded.rows).toBe(Object.values(rows).reduce((sum, each) => sum + each, 0));
      expect(rows).toMatchObject({ nv_large: 20_000, [long.replace('wp_', 'nv_')]: 1 });
      const names = Object.keys(rows).filter((name) => !/_(options|usermeta)$/.test(name));
      const quoted = (name: string) => `\`${name}\``;
      const sums = async (database: string, prefix: string) =>
        (
          await query(
            `checksum table ${names.map((name) => `${database}.${quoted(name.replace(/^nv_/, prefix))}`).join(', ')} extended`,
          )
        ).map(([, sum]) => sum);
      expect(names.length).toBeGreaterThan(20);
      expect(await sums('autre', 'nv_')).toEqual(await sums('plain', 'wp_'));
    });

    it('has the new prefix in the option and meta names that WordPress looks up, and nowhere else', async () => {
      const [names, values] = await Promise.all([
        query("select option_name from autre.nv_options where option_name regexp '^(nv|wp)_'"),
        query("select meta_key, meta_value from autre.nv_usermeta where meta_key regexp '^(nv|wp)_x'"),
      ]);
      expect(names.flat()).toEqual(expect.arrayContaining(['nv_user_roles', 'nv_own']));
      // WordPress uses these names whatever the prefix is.
      const fixed = ['wp_force_deactivated_plugins', 'wp_page_for_privacy_policy'];
      expect(names.flat().filter((name) => name.startsWith('wp_'))).toEqual(fixed);
      expect(values).toEqual([['nv_x', 'wp_x']]);
    });

    it('has its keys, triggers and views exactly once', async () => {
      expect(loaded.failed).toEqual([]);
      const keys = await query(
        "select constraint_name, delete_rule from information_schema.referential_constraints where constraint_schema = 'autre' order by 1",
      );
      expect(keys).toEqual([
        ['nommée', 'CASCADE'],
        ['wp_ships_ibfk_1', 'RESTRICT'],
      ]);
      const created = await query(
        `use autre; insert into nv_ports values (7, ' Nantes ');
         select (select name from nv_seen where id = 7), (select count(*) from nv_afar), (select port from nv_ships where id = 1007)`,
      );
      expect(created).toEqual([['Nantes', '3', '7']]);
    });

    it('has its tables with the same definitions', async () => {
      const creation = async (database: string) =>
        (await query(`show create table ${database}`))[0]?.[1]?.replace(/`(wp|nv)_/g, '`');
      expect(await creation('autre.nv_figures')).toEqual(await creation('plain.wp_figures'));
      expect(await creation('autre.nv_ships')).toEqual(await creation('plain.wp_ships'));
      expect(await creation('autre.nv_afar_away')).toEqual(await creation('plain.wp_afar_away'));
      expect(await creation('autre.nv_torn')).toEqual(
        (await creation('plain.wp_torn'))?.replace(
          /ENGINE=Aria (.*?) PAGE_CHECKSUM=1 .*TRANSACTIONAL=1/,
          'ENGINE=MyISAM $1',
        ),
      );
    });

    it('leaves time for other work while the server writes, until there is none', () => {
      expect(loaded.pieces).toBe(100);
    });

    it('takes little memory, and reports every byte', () => {
      expect(loaded.memory).toBeLessThanOrEqual(32 * mega);
      expect(loaded.heard).toBe(readFileSync(file).length - header);
    });

    it('is the same without the PCRE compiler', async () => {
      const other = load({ file, from: header }, { site: siteAt('nv_', target) }, ['pcre.jit=0']);
      expect(other.rows).toBe(loaded.rows);
    });
  });

  describe('made by the migration plugin', () => {
    const sql = `-- All In One WP Migration SQL Dump
-- Class: Ai1wm_Database_Mysqli
--

DROP TABLE IF EXISTS \`SERVMASK_PREFIX_options\`;

CREATE TABLE \`SERVMASK_PREFIX_options\` (
  \`option_id\` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  \`option_name\` varchar(191) COLLATE utf8mb4_0900_ai_ci NOT NULL DEFAULT '',
  \`option_value\` longtext COLLATE utf8mb4_0900_ai_ci NOT NULL,
  \`autoload\` varchar(20) COLLATE utf8mb4_unicode_520_ci NOT NULL DEFAULT 'yes',
  PRIMARY KEY (\`option_id\`),
  UNIQUE KEY \`option_name\` (\`option_name\`),
  FULLTEXT KEY \`a, (b\` (\`option_value\`)
) ENGINE=ROCKSDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='utf8mb4_0900_ai_ci; it\\'s';

START TRANSACTION;
INSERT INTO \`SERVMASK_PREFIX_options\` VALUES (1,'siteurl','http://ancien.fr','yes');
INSERT INTO \`SERVMASK_PREFIX_options\` VALUES (2,'a_${'x'.repeat(5)}','a:1:{s:3:\\"url\\";s:17:\\"http://ancien.fr/\\";}','yes');
INSERT INTO \`SERVMASK_PREFIX_options\` VALUES (3,'slash',CONCAT('http://ancien.fr/\\n',0x5c),'yes');
INSERT INTO \`SERVMASK_PREFIX_options\` VALUES (4,"double",_utf8mb4 'l''été''http://ancien.fr', 'yes') , (5,'SERVMASK_PREFIX_user_roles','SERVMASK_PREFIX_x',DEFAULT);
COMMIT;
INSERT INTO \`SERVMASK_PREFIX_options\` (\`option_name\`,\`option_value\`) VALUES ('rewrite_rules','a:1:{i:0;i:1;}');
INSERT INTO \`SERVMASK_PREFIX_options\` VALUES (7,'upload_path','/srv/ancien/uploads','yes'),(8,'ai1wm_x','x','yes'),(9,'template','','yes');

DROP TABLE IF EXISTS \`wbk_days\`;

CREATE TABLE \`wbk_days\` (\`day\` date NOT NULL, \`twice\` int GENERATED ALWAYS AS (\`n\` * 2) STORED, \`n\` int, \`b\` blob, CONSTRAINT \`k\` FOREIGN KEY (\`n\`) REFERENCES \`SERVMASK_PREFIX_x\` (\`n\`)) ENGINE=InnoDB;
INSERT INTO \`wbk_days\` VALUES ('2026-02-03',14,7,0x),('2026-02-04',0x0E,8,_binary 0x41);

DROP VIEW IF EXISTS \`SERVMASK_PREFIX_seen\`;
CREATE VIEW \`SERVMASK_PREFIX_seen\` AS select \`SERVMASK_PREFIX_options\`.\`option_name\` AS \`n\` from \`SERVMASK_PREFIX_options\`;
`;
    const pairs = { 'http://ancien.fr': 'https://www.nouveau.fr/site' };

    it.each([
      ['`v` varchar(9), FULLTEXT KEY `f` (`v`)) ENGINE=MEMORY', /^((?!FULLTEXT).)*ENGINE=MEMORY/],
      ['`v` varchar(255), UNIQUE KEY (`v`)) ENGINE=InnoDB CHARSET=utf8mb4 ROW_FORMAT=COMPACT', /ROW_FORMAT=DYNAMIC/],
    ])('is adapted where the server refuses it: %s', async (columns, created) => {
      load(`CREATE TABLE \`SERVMASK_PREFIX_a\` (${columns};\n`);
      expect((await query(`show create table autre.${stage}1`))[0]?.[1]).toMatch(created);
    });

    it('has its rows, with the new addresses', async () => {
      const loaded = load(sql, { pairs, chunk: 7 });
      expect(loaded).toMatchObject({
        tables: { neuf_options: { stage: `${stage}1`, rows: 9 }, wbk_days: { stage: `${stage}2`, rows: 2 } },
        views: { neuf_seen: expect.stringMatching(/^CREATE VIEW `neuf_seen` AS select `neuf_options`\.`option_name`/) },
        rows: 11,
      });
      const rows = await query(`select option_name, replace(option_value, '\\n', ' ') from autre.${stage}1 order by 1`);
      expect(Object.fromEntries(rows)).toMatchObject({
        siteurl: target,
        a_xxxxx: `a:1:{s:3:"url";s:28:"${target}/";}`,
        slash: `${target}/ \\\\`,
        double: `l'été'${target}`,
        neuf_user_roles: 'SERVMASK_PREFIX_x',
      });
      expect(await query(`select * from autre.${stage}2`)).toEqual([
        ['2026-02-03', '14', '7', ''],
        ['2026-02-04', '16', '8', 'A'],
      ]);
      const creation = (await query(`show create table autre.${stage}1`))[0]?.[1] ?? '';
      expect(creation).toContain("COMMENT='utf8mb4_0900_ai_ci; it''s'");
      // MariaDB 11.4 knows the collation of MySQL 8 and keeps it.
      const isKnown = (await query("show collation like 'utf8mb4_0900_ai_ci'")).length > 0;
      const collation = isKnown ? 'utf8mb4_0900_ai_ci' : 'utf8mb4_unicode_520_ci';
      expect(creation).toMatch(new RegExp(`ENGINE=InnoDB .* COLLATE=${collation}`));
    });

    it('keeps the options of the existing site after relocation', async () => {
      await query(`create table autre.neuf_options (option_id int auto_increment primary key, option_name varchar(191) unique, option_value longtext, autoload varchar(20) default 'yes');
        insert into autre.neuf_options (option_name, option_value) values ('siteurl', '${target}'), ('home', '${target}/fr'), ('ai1wm_secret_key', 'gardée'), ('blogname', 'ancien')`);
      const about = { Template: 'phare', Stylesheet: 'phare-enfant', Database: { Prefix: 'vieux_' } };
      const plugins = ['b/b.php', 'a/a.php'];
      const own = 'all-in-one-wp-migration/all-in-one-wp-migration.php';
      const site = siteAt('neuf_', target);
      Object.assign(site.options, { active_plugins: `a:2:{i:0;s:${own.length}:"${own}";i:1;s:7:"c/c.php";}` });
      load(sql, { about, plugins, site });
      const rows = Object.fromEntries(await query(`select option_name, option_value from autre.${stage}1`));
      expect(rows).toEqual({
        siteurl: target,
        home: `${target}/fr`,
        ai1wm_secret_key: 'gardée',
        active_plugins: `a:3:{i:0;s:7:"a/a.php";i:1;s:${own.length}:"${own}";i:2;s:7:"b/b.php";}`,
        template: 'phare',
        stylesheet: 'phare-enfant',
        rewrite_rules: '',
        a_xxxxx: 'a:1:{s:3:"url";s:17:"http://ancien.fr/";}',
        slash: 'http://ancien.fr/\\n\\\\',
        double: "l'été'http://ancien.fr",
        neuf_user_roles: 'SERVMASK_PREFIX_x',
        // Without an own row, WordPress takes its default folder.
        upload_path: '',
      });
      await query('drop table autre.neuf_options');
    });

    it('renames the sites of a network to their new host and path', async () => {
      const row = 'blog_id int, domain varchar(200), path varchar(100)';
      const rows = `(1,'www.ancien.fr','/'),(2,'www.ancien.fr','/deux/'),(3,'trois.ancien.fr','/'),(4,'autre.fr','/')`;
      const network = `CREATE TABLE \`SERVMASK_PREFIX_blogs\` (${row});\nINSERT INTO \`SERVMASK_PREFIX_blogs\` VALUES ${rows};\n`;
      const site = Object.assign(siteAt('neuf_', 'https://neuf.fr:8443/ici'), { isNetwork: true });
      load(network, { about: { SiteURL: 'http://www.ancien.fr' }, plugins: [], site });
      expect(await query(`select domain, path from autre.${stage}1 order by blog_id`)).toEqual([
        ['neuf.fr:8443', '/ici/'],
        ['neuf.fr:8443', '/ici/deux/'],
        ['trois.neuf.fr:8443', '/ici/'],
        ['autre.fr', '/'],
      ]);
    });

    it('is loaded in part if tables are excluded', async () => {
      // Tables that an earlier load left behind are dropped.
      load(sql);
      const loaded = load(sql, { without: ['neuf_options', 'neuf_seen'] });
      expect(loaded).toMatchObject({ rows: 2, views: [], tables: { wbk_days: { stage: `${stage}1`, rows: 2 } } });
    });
  });

  describe('when refused', () => {
    it('executes no statement that a dump never contains, and leaves no table', async () => {
      await query('create table autre.kept (v text); insert into autre.kept values (1)');
      const before = await query('show tables from autre');
      const loads = forbiddenDumps.map((sql) => ({
        is: 'load',
        site: siteAt('neuf_', target),
        stage,
        pairs: {},
        sql,
      }));
      const answers = tests.ask<RefusedLoad>(loads, { database: 'autre' });
      const codes = answers.map(({ stop }, at) => [forbiddenDumps[at], stop?.['code'], stop?.['why']]);
      expect(codes).toEqual(forbiddenDumps.map((sql) => [sql, 'sql', 'forbidden']));
      for (const { there, left } of answers) {
        expect(left).toEqual(before.flat());
        expect(there.filter((name) => !name.startsWith(stage))).toEqual(before.flat());
      }
      expect(await query('checksum table autre.kept; select * from autre.kept')).toContainEqual(['1']);
    });

    it.each<[string, string, object, RegExp | undefined]>([
      [
        'a row',
        `${create}${insert}(1,'a');\n${insert}(1,'b');\n`,
        { why: 'row', path: 'neuf_a' },
        /Duplicate entry|during COMMIT/,
      ],
      ['a table', 'CREATE TABLE `SERVMASK_PREFIX_a` (`id` nothing);\n', { why: 'table', path: 'neuf_a' }, /nothing/],
      ['its end', `${create}${insert}(1,'a`, { why: 'cut' }, /INSERT INTO/],
      ['a name', create.replace('_a`', `_${'a'.repeat(62)}\``), { why: 'name' }, undefined],
    ])('is refused for %s, with the reason', (_, sql, fields, words) => {
      const { stop, left } = load(sql);
      expect(stop).toMatchObject({ code: 'sql', ...fields });
      if (words) expect(stop['words']).toMatch(words);
      expect(left.filter((name) => name.startsWith(stage))).toEqual([]);
    });

    it('is refused for a statement over max_allowed_packet, not for one just below', async () => {
      const [[was = ''] = []] = await query('select @@global.max_allowed_packet');
      await query(`set global max_allowed_packet = ${2 * mega}`);
      const long = (bytes: number) => `${create}${insert}(1,'${'\\"'.repeat(bytes / 2)}');\n`;
      try {
        expect(load(long(2 * mega)).stop).toMatchObject({ code: 'sql', why: 'long', path: 'neuf_a' });
        expect(load(long(9 * mega)).stop).toMatchObject({ why: 'long', path: 'neuf_a' });
        expect(load(long(1.875 * mega)).rows).toBe(1);
        expect(await query(`select length(v) from autre.${stage}1`)).toEqual([[String(0.9375 * mega)]]);
      } finally {
        await query(`set global max_allowed_packet = ${was}`);
      }
    });

    it('is refused if the database’s disk is too full, with both sizes', () => {
      const [{ stop } = { stop: {} }] = tests.ask<RefusedLoad>([{ is: 'room', fits: 1, bytes: 1e15 }], {
        database: 'autre',
      });
      expect(stop).toMatchObject({ code: 'no_room', why: 'tables', needed: 1e15, free: expect.any(Number) });
      const { message } = restoreSentence('no_room', { why: 'tables', words: '', path: '', needed: 3e8, free: 2e6 });
      expect(message).toMatch(
        /^Il faut 350,1\u00a0Mo .* sur le disque de la base de données, et il n’en reste que 1,9\u00a0Mo/,
      );
    });

    it('is recognized as a dump of SQLite', () => {
      const texts = [
        '-- Host: x\n-- Class: Ai1wm_Database_Sqlite\n--\n',
        'CREATE TABLE `SERVMASK_PREFIX_a` (\n  `id` INTEGER PRIMARY KEY AUTOINCREMENT\n);\n',
        'CREATE TABLE `SERVMASK_PREFIX_a` (\n  `id` text\n) STRICT;\n',
        `${create}${insert}(1,'\n-- Class: Ai1wm_Database_Sqlite');\n`,
        '-- Class: Ai1wm_Database_Mysqli\n',
      ];
      const answers = tests.ask(texts.map((sql) => ({ is: 'isSqlite', sql })));
      expect(answers).toEqual([true, true, true, false, false]);
    });
  });

  it('creates its definitions, and reports those that it refuses', async () => {
    await query('use autre; create table neuf_a (id int primary key); create table neuf_b (id int primary key)');
    const key = (more: string) => `ALTER TABLE \`SERVMASK_PREFIX_b\` ADD CONSTRAINT \`k\` FOREIGN KEY (\`id\`) ${more}`;
    const created = (texts: readonly string[]) => texts.map((Sql) => ({ Name: 'x', Table: 'x', Sql }));
    const note = {
      Database: {
        ForeignKeys: created([
          key('REFERENCES `SERVMASK_PREFIX_a` (`id`) ON DELETE CASCADE'),
          key('REFERENCES `SERVMASK_PREFIX_a` (`id`), DROP COLUMN `id`'),
          'DROP TABLE `neuf_a`',
        ]),
        Triggers: created([
          'CREATE TRIGGER `t` BEFORE INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW SET NEW.id = NEW.id + 1',
          'CREATE TRIGGER `u` BEFORE INSERT ON `kept` FOR EACH ROW SET NEW.id = 1',
          'CREATE TRIGGER `v` BEFORE INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW SET NEW.id = 1; DROP TABLE neuf_a',
        ]),
        Views: created([
          'CREATE ALGORITHM=MERGE DEFINER=`nobody`@`nowhere` SQL SECURITY INVOKER VIEW `SERVMASK_PREFIX_w` AS select `SERVMASK_PREFIX_v`.`id` AS `id` from `SERVMASK_PREFIX_v`',
          'CREATE VIEW `SERVMASK_PREFIX_gone` AS select 1',
        ]),
      },
    };
    const views = {
      neuf_w: 'CREATE VIEW `neuf_w` AS select 1',
      neuf_v: 'CREATE VIEW `neuf_v` AS select `id` from `neuf_a`',
      neuf_x: 'CREATE VIEW `neuf_x` AS select `id` from `neuf_gone`',
    };
    const [failed] = tests.ask<{ kind: string; words: string }[]>(
      [{ is: 'define', prefix: 'neuf_', note, views, tables: ['neuf_a', 'neuf_b'] }],
      { database: 'autre' },
    );
    expect(failed?.map(({ kind, words }) => [kind, words])).toEqual([
      ['foreign_key', 'forbidden'],
      ['foreign_key', 'forbidden'],
      ['view', expect.stringContaining('neuf_gone')],
      ['trigger', 'forbidden'],
      ['trigger', expect.stringContaining('syntax')],
    ]);
    const rows = await query('use autre; insert into neuf_a values (1); select * from neuf_w');
    expect(rows).toEqual([['2']]);
    const [view] = await query('show create view autre.neuf_w');
    expect(view?.[1]).toMatch(/ALGORITHM=MERGE DEFINER=`plain`@.* SQL SECURITY INVOKER/);
  });
});
