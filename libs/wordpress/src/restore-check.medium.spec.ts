import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet } from '@vigie/testing/fleet/machine';
import { aDump } from '@vigie/testing/wpress';
import { create, insert } from './load-forbidden';
import { LoadTests, siteAt } from './load-tests';

const describeFleet = onFleet(describe);
const stage = 'vgr1a2b3c_';
const mega = 1_048_576;

type Loaded = { lost: string[]; live: string[]; cut: string[]; mapped: object; memory: number; rows: number };

describeFleet('a restore compared with its archive', () => {
  let fleet: Fleet;
  let tests: LoadTests;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'] });
    tests = LoadTests.at(fleet.site('plain').path);
    await query(
      `create database autre; grant all on autre.* to plain@'%'; grant all on autre.* to plain@localhost;
       create database AUTRE; grant all on AUTRE.* to plain@'%'; grant all on AUTRE.* to plain@localhost;
       create database voisine; grant all on voisine.* to plain@'%'; grant all on voisine.* to plain@localhost`,
    );
  });
  afterAll(async () => {
    tests?.close();
    await fleet?.close();
  });
  afterEach(() => void tests.ask([{ is: 'sweep', stage }], { database: 'autre' }));

  const query = (sql: string) => fleet.query(fleet.site('plain'), sql);
  function load(sql: string, more: object = {}): Loaded {
    const site = siteAt('neuf_', 'https://neuf.fr');
    const [loaded] = tests.ask<Loaded>([{ is: 'load', site, stage, pairs: {}, sql, ...more }], {
      database: 'autre',
    });
    if (!loaded) throw new Error('no answer');
    return loaded;
  }

  it('finds rows behind a very long comment', () => {
    const sql = `${create}/* ${'x'.repeat(70_000)} */${insert}(1,'a');\n`;
    expect(load(sql)).toMatchObject({ rows: 1, lost: [] });
  });

  it('accepts whitespace before rows, and any table name', () => {
    const sql = `${create}${insert}(1,'a');\n${insert}  \n (2,'b');\n`;
    expect(load(sql)).toMatchObject({ rows: 2, lost: [] });
    const strange = 'CREATE TABLE `SERVMASK_PREFIX_a``b` (`id` int);\nINSERT INTO `SERVMASK_PREFIX_a``b` VALUES (1);\n';
    expect(load(strange, { noted: { 'neuf_a`b': 1 } }).lost).toEqual([]);
  });

  it('reports rows that are missing, were not loaded, or belong to a missing table', () => {
    const sql = aDump({ a: 'un', b: 'deux' });
    expect(load(sql, { noted: { neuf_a: 1, neuf_b: 1 } }).lost).toEqual([]);
    expect(load(sql, { loses: `delete from ${stage}1` }).lost).toEqual(['neuf_a (0/1)']);
    expect(load(sql, { noted: { neuf_b: 3, neuf_c: 2 } }).lost).toEqual(['neuf_c (0/2)', 'neuf_b (1/3)']);
  });

  it('reports tables, active plugins and themes that are missing on the live site', async () => {
    const options = `CREATE TABLE \`SERVMASK_PREFIX_options\` (\`option_id\` int auto_increment primary key,
      \`option_name\` varchar(191), \`option_value\` longtext, \`autoload\` varchar(20));
INSERT INTO \`SERVMASK_PREFIX_options\` VALUES (1,'active_plugins','a:0:{}','yes');
`;
    // Only the database exists here, so the plugins have no files.
    const about = { Template: 'phare', Stylesheet: 'enfant' };
    const missingAfter = (breaks: string, plugins: string[] = []) =>
      load(`${options}${aDump({ b: 'deux' })}`, { about, plugins, swap: true, breaks }).live;
    const drop = () => query('drop table if exists autre.neuf_options, autre.neuf_b');
    expect(missingAfter('select 1')).toEqual([]);
    await drop();
    expect(missingAfter('select 1', ['a/a.php'])).toEqual(['a/a.php']);
    await drop();
    expect(missingAfter(`update neuf_options set option_value = 'autre' where option_name = 'stylesheet'`)).toEqual([
      'enfant',
    ]);
    await drop();
    expect(missingAfter('drop table neuf_b')).toEqual(['neuf_b']);
    await drop();
  });

  it('names the columns that truncate a longer address, and ignores invalid enum values', () => {
    const sql =
      "CREATE TABLE `SERVMASK_PREFIX_a` (`id` int PRIMARY KEY, `v` varchar(20), `w` longtext, `k` enum('x'));\n" +
      `${insert}(1,'http://court.fr','http://court.fr','');\n${insert}(2,'x','x','x');\n`;
    const pairs = { 'http://court.fr': 'https://une-adresse-plus-longue.fr' };
    expect(load(sql, { pairs }).cut).toEqual(['neuf_a.v']);
    expect(load(sql).cut).toEqual([]);
    // As many warnings as a server keeps by default, then the one that counts.
    const many = Array.from(
      { length: 100 },
      (_, id) => `${insert}(${id},'${id === 99 ? 'x'.repeat(30) : 'x'}','','');\n`,
    );
    expect(load(sql.slice(0, sql.indexOf('\n') + 1) + many.join('')).cut).toEqual(['neuf_a.v']);
  });

  it('refuses a table whose values come from another database', async () => {
    await query('create sequence voisine.compteur');
    const sql = `CREATE TABLE \`SERVMASK_PREFIX_a\` (\`id\` int, \`v\` int default nextval(\`voisine\`.\`compteur\`));\n`;
    expect(load(sql, { strict: true })).toMatchObject({ stop: { code: 'sql', why: 'forbidden' } });
    expect(await query('select next_not_cached_value from voisine.compteur')).toEqual([['1']]);
  });

  /** A row as it is written in the dump, and as it should be after its addresses changed. */
  const longRows = (() => {
    const [old, now] = ['http://ancien.fr', 'https://www.nouveau.fr'];
    const link = (address: string) => `<a href="${address}/x">`;
    const times = Math.floor((12 * mega) / link(old).length);
    const [before, after] = [old, now].map((address) => link(address).repeat(times)) as [string, string];
    const serialized = (text: string) => `a:1:{i:0;s:${text.length}:"${text}";}`;
    const written = (text: string) => `'${text.replaceAll('"', '\\"')}'`;
    return {
      'of text': [written(before.replaceAll('ancien', 'autre')), before.replaceAll('ancien', 'autre')],
      'of bytes': [`0x${'6162'.repeat(3 * mega)}`, 'ab'.repeat(3 * mega)],
      'with addresses': [written(before), after],
      'with addresses in what is serialized': [written(serialized(before)), serialized(after)],
    } satisfies Record<string, [string, string]>;
  })();

  it.each(Object.entries(longRows))(
    'takes little more memory for a row %s than twice its size',
    async (_, [written, text]) => {
      const [[packet = ''] = []] = await query('select @@global.max_allowed_packet');
      await query(`set global max_allowed_packet = ${64 * mega}`);
      const file = join(tests.folder, 'long.sql');
      const rows = [written, "'court'", written, "'court'"].map((value, id) => `${insert}(${id},${value});\n`);
      writeFileSync(file, [create, ...rows].join(''));
      const pairs = { 'http://ancien.fr': 'https://www.nouveau.fr' };
      try {
        const { memory, rows: count } = load('', { sql: undefined, file, pairs });
        expect([count, Math.max(0, memory - 32 * mega - 2 * Math.max(written.length, text.length))]).toEqual([4, 0]);
        const sha = createHash('sha256').update(text).digest('hex');
        const hashes = `select if(length(v) < 9, v, sha2(v, 256)) from autre.${stage}1 order by id`;
        expect((await query(hashes)).flat()).toEqual([sha, 'court', sha, 'court']);
      } finally {
        await query(`set global max_allowed_packet = ${packet}`);
      }
    },
  );

  it('names unknown collations and their replacements', () => {
    const sql = create.replace(');', ') CHARSET=utf8mb4 COLLATE=utf8mb4_phare_ci;');
    expect(load(`${sql}${insert}(1,'a');\n`)).toMatchObject({
      rows: 1,
      mapped: { utf8mb4_phare_ci: 'utf8mb4_unicode_520_ci' },
    });
    expect(load(`${create}${insert}(1,'a');\n`).mapped).toEqual([]);
  });

  it('recognizes definitions that use another database or a file of the server', () => {
    const reaching = [
      'CREATE VIEW `v` AS select `id` from `voisine`.`t`',
      'CREATE VIEW `v` AS select `VOISINE`.`t`.`id` from `voisine` . `t`',
      'CREATE VIEW `v` AS select 1 from mysql.user',
      'CREATE TRIGGER `t` AFTER INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW DELETE FROM voisine.t',
      'CREATE TRIGGER `t` AFTER INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW BEGIN DELETE FROM voisine/* */./* */t; END',
      "CREATE TRIGGER `t` AFTER INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW BEGIN /* ' */ DELETE FROM `voisine`.t; /* ' */ END",
      "CREATE TRIGGER `t` AFTER INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW BEGIN SET @a = '\\'; -- '; DELETE FROM voisine.t; END",
      'CREATE TRIGGER `t` AFTER INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW /*! DELETE FROM voisine.t */',
      "CREATE TRIGGER `t` AFTER INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW SELECT 1 INTO OUTFILE '/tmp/x'",
      "CREATE VIEW `v` AS select load_file('/etc/passwd')",
      'CREATE VIEW `v` AS select `id` from `AUTRE`.`t`',
      // Servers differ in what they take for a comment, and a quote in one could hide what follows.
      ...["/*!99999 ' */", "/*Mon ' */", '/*Mon " */', "--\x7f'\n", '/*!999999 ` */'].map(
        (comment) =>
          `CREATE TRIGGER \`t\` AFTER INSERT ON \`SERVMASK_PREFIX_a\` FOR EACH ROW BEGIN ${comment} DELETE FROM voisine.t; ${comment} END`,
      ),
      "CREATE TRIGGER `t` AFTER INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW /* l'été */ SET @a = 1",
    ];
    const staying = [
      "CREATE VIEW `v` AS select 'voisine.t' AS `mysql`, `a`.`id` from `autre`.`SERVMASK_PREFIX_a` `a`",
      'CREATE TRIGGER `t` AFTER INSERT ON `SERVMASK_PREFIX_a` FOR EACH ROW BEGIN -- voisine\n SET @voisine = NEW.id; /* voisine */ END',
    ];
    const [answers] = tests.ask<boolean[]>([{ is: 'crossDatabase', texts: [...reaching, ...staying] }], {
      database: 'autre',
    });
    const verdicts = [...reaching, ...staying].map((sql, at) => [sql, answers?.[at]]);
    expect(verdicts).toEqual([...reaching.map((sql) => [sql, true]), ...staying.map((sql) => [sql, false])]);
  });
});
