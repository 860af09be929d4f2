import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet } from '@vigie/testing/fleet/machine';
import { LoadTests } from './load-tests';

const operation = '018f0000-0000-7000-8000-0123456789ab';
const sign = '0123456789ab';
const other = '018f0000-0000-7000-8000-0000000000bb';

onFleet(describe)('tables beside those of a site', () => {
  let fleet: Fleet;
  let tests: LoadTests;
  let base: string;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'] });
    tests = LoadTests.at(fleet.site('plain').path);
    base = join(tests.folder, 'site');
    mkdirSync(base);
    await query("grant all on autre.* to plain@'%'; grant all on autre.* to plain@localhost; create database autre");
  });
  afterEach(async () => {
    rmSync(folder(), { recursive: true, force: true });
    await query('drop database autre; create database autre');
  });
  afterAll(async () => {
    tests?.close();
    await fleet?.close();
  });

  const query = (sql: string) => fleet.query(fleet.site('plain'), sql);
  const make = (...names: readonly string[]) =>
    query(`use autre; ${names.map((name) => `create table \`${name}\` (id int);`).join(' ')}`);
  const runTest = (method: string, more: object, settings: readonly string[] = []) => {
    const requests = [{ is: method, base, ...more }];
    const [names] = tests.ask<string[] | { stop: object }>(requests, { database: 'autre', settings });
    if (!Array.isArray(names)) throw new Error(JSON.stringify(names));
    return names.toSorted();
  };
  const staged = [`vgo${sign}_0`, `vgr${sign}_1`, `vgr${sign}_at`];

  it('drops leftover tables after seven days, unless an operation holds their lock', async () => {
    const others = ['vgo0000000000bb_0', `vgr${sign}_options`, 'vgr123_1', `vgr${sign}_1x`, 'wp_a'];
    await make(...staged, ...others, 'vgr0000000000cc_new', 'vgr0000000000cc_there');
    await query(`create view autre.vgr0000000000dd_1 as select 1`);
    const kept = [...others, 'vgr0000000000dd_1'].toSorted();
    // Test tables are never needed again, unless an operation holds their lock.
    const whileLocked = runTest('clear', { live: '018f0000-0000-7000-8000-0000000000cc' });
    expect(whileLocked).toContain('vgr0000000000cc_there');
    expect(runTest('clear', {})).toEqual([...kept, ...staged].toSorted());
    expect(runTest('clear', { later: 6 })).toEqual([...kept, ...staged].toSorted());
    expect(runTest('clear', { later: 8, live: operation })).toEqual([...kept, ...staged].toSorted());
    // A renamed table tells nothing about its age.
    expect(runTest('clear', { later: 8 })).toEqual(kept);
  });

  it.each([[['vgroptions', 'vgrposts']], [['options', 'posts']]])(
    'never drops tables that match the prefix of a site: %j',
    async (own) => {
      await make(...staged, ...own);
      expect(runTest('clear', { later: 8 })).toEqual([...own, ...staged].toSorted());
    },
  );

  /** The folder beside a site while `operation` restores its rollback copy. */
  const folder = () => join(base, `.vigie-${operation}`);
  const writeState = (fields: { tables: (string | null)[][]; operation?: string; prefix?: string }) => {
    mkdirSync(folder());
    writeFileSync(join(folder(), 'tables.json'), JSON.stringify({ views: [], ...fields }));
  };
  const makeOld = () => utimesSync(folder(), 1, 1);

  it('reverts a partial swap of tables', async () => {
    writeState({ tables: [['wp_a', `vgr${sign}_1`, `vgo${sign}_0`]] });
    await make(...staged, 'wp_b');
    await query(`insert into autre.vgo${sign}_0 values (7)`);
    // Another site may share the folder and be using it.
    expect(runTest('clear', {})).toEqual([...staged, 'wp_b']);
    makeOld();
    expect(runTest('clear', {})).toEqual(['wp_a', 'wp_b']);
    expect(await query('select * from autre.wp_a')).toEqual([['7']]);
    expect(readdirSync(folder())).toEqual([]);
  });

  it('reverts a manual restore, which has an id of its own', async () => {
    writeState({ operation: other, prefix: 'wp_', tables: [['wp_a', 'vgr0000000000bb_1', 'vgo0000000000bb_0']] });
    await make('vgr0000000000bb_1', 'vgo0000000000bb_0', 'vgr0000000000bb_at');
    makeOld();
    expect(runTest('clear', {})).toEqual(['wp_a']);
  });

  it.each([
    ['names their prefix', { prefix: 'wp_boutique_' }],
    ['lists them', {}],
  ])('leaves the tables of another site alone if a copied state file %s', async (_, prefixOf) => {
    const tables = [['wp_boutique_a', `vgr${sign}_1`, `vgo${sign}_0`]];
    writeState({ operation, tables, ...prefixOf });
    const existing = [...staged, 'wp_boutique_options', 'wp_boutique_posts', 'wp_options', 'wp_posts'];
    await make(...existing);
    makeOld();
    expect(runTest('clear', {})).toEqual(existing.toSorted());
  });

  it('never takes a live table for a staged one', async () => {
    await make('wp_a');
    const tables = [['wp_a', `vgr${sign}_1`, null]];
    expect(runSwap({ operation, tables })).toMatchObject({ there: ['wp_a'] });
  });

  it.each([
    ['a table', 'lock tables wp_a read', true, ['wp_a']],
    ['a staged table', `lock tables vgr${sign}_1 read`, true, [`vgr${sign}_1`, `vgr${sign}_at`, 'wp_a']],
    ['the whole server', 'flush tables with read lock', false, [`vgr${sign}_1`, 'wp_a']],
  ])('waits only briefly if others lock %s', async (_, holds, drops, existing) => {
    await query("grant reload on *.* to plain@'%'; grant reload on *.* to plain@localhost");
    await make('wp_a', `vgr${sign}_1`);
    const tables = [['wp_a', `vgr${sign}_1`, `vgo${sign}_0`]];
    expect(runSwap({ operation, tables, holds, drops })).toEqual({ done: false, there: existing });
  });
  const runSwap = (more: object) =>
    tests.ask<{ done: boolean | null; there: string[] }>([{ is: 'swap', ...more }], { database: 'autre' })[0];

  it('keeps the tables in a state file during an inspection', async () => {
    await make(...staged, 'vgr0000000000bb_1', 'wp_a');
    writeState({ operation, prefix: 'wp_', tables: [['wp_a', `vgr${sign}_1`, null]] });
    expect(runTest('inspection', {})).toEqual([...staged, 'wp_a'].toSorted());
    rmSync(folder(), { recursive: true });
    expect(runTest('inspection', {})).toEqual(['wp_a']);
  });

  it.each(['inspection', 'clear'])('keeps the tables of a stuck restore: %s', async (method) => {
    const content = join(base, 'contents');
    mkdirSync(join(content, `.vigie-swap-${operation}`), { recursive: true });
    await make(...staged, 'wp_a');
    expect(runTest(method, { content, later: 8 })).toEqual([...staged, 'wp_a'].toSorted());
    rmSync(content, { recursive: true });
  });

  it('drops only test tables if it cannot read the site’s folders', async () => {
    await make(...staged, 'vgr0000000000bb_there');
    expect(runTest('inspection', { content: join(base, 'absent') })).toEqual(staged);
    expect(runTest('inspection', {})).toEqual([]);
  });

  describe('while a rollback copy is restored', () => {
    const file = () => join(base, 'copy.tar');
    const restore = (tablesOf: string, settings: readonly string[] = []) => {
      const { path, url } = fleet.site('plain');
      return runTest('restoreCopy', { operation: tablesOf, file: file(), site: { path, url } }, settings);
    };
    const license = () => join(base, 'license.txt');
    beforeEach(() => {
      writeFileSync(license(), 'avant');
      const sql = 'CREATE TABLE `SERVMASK_PREFIX_a` (`id` int);\nINSERT INTO `SERVMASK_PREFIX_a` VALUES (7);\n';
      tests.ask([{ is: 'writeCopy', base, operation, file: file(), sql }], { database: 'autre' });
      writeFileSync(license(), 'après');
    });
    afterEach(() => {
      for (const path of [file(), license()]) rmSync(path);
    });

    it('keeps the state file until the restore is done, even if PHP is killed', async () => {
      await make('wp_a', `vgo${sign}_0`, `vgr${sign}_at`);
      await query('insert into autre.wp_a values (7), (8)');
      writeState({ operation, prefix: 'wp_', tables: [['wp_a', `vgr${sign}_1`, `vgo${sign}_0`]] });
      expect(() => restore(operation, ['disable_functions=mkdir'])).toThrow(expect.objectContaining({ status: 137 }));
      expect(readdirSync(folder())).toEqual(['tables.json']);
      expect(restore(operation)).toEqual(['wp_a']);
      // The rows were not loaded a second time.
      expect(await query('select id from autre.wp_a')).toEqual([['7'], ['8']]);
      expect([existsSync(folder()), readFileSync(license(), 'utf8')]).toEqual([false, 'avant']);
    });

    it('restores its tables, whatever an earlier restore noted', async () => {
      await make('wp_a', 'vgr0000000000bb_at');
      writeState({ operation: other, prefix: 'wp_', tables: [['wp_a', 'vgr0000000000bb_1', 'vgo0000000000bb_0']] });
      expect(restore('018f0000-0000-7000-8000-0000000000cc')).toEqual(['wp_a']);
      expect(await query('select id from autre.wp_a')).toEqual([['7']]);
      expect([existsSync(folder()), readFileSync(license(), 'utf8')]).toEqual([false, 'avant']);
    });
  });

  it('tells the tables of a site from those of its neighbours, even if one prefix begins with the other', async () => {
    const tablesOf = (prefix: string) => ['options', 'posts', 'x'].map((name) => prefix + name);
    await make(...tablesOf('wp_'), ...tablesOf('wp_2_'), ...tablesOf('wp_shop_'), ...tablesOf('wp_3_'));
    await query('create table autre.wp_blogs (blog_id bigint); insert into autre.wp_blogs values (1), (2)');
    expect(runTest('ownTables', { prefix: 'wp_' })).toEqual(['wp_blogs', ...tablesOf('wp_')]);
    expect(runTest('ownTables', { prefix: 'wp_2_' })).toEqual(tablesOf('wp_2_'));
    expect(runTest('ownTables', { prefix: 'wp_shop_' })).toEqual(tablesOf('wp_shop_'));
    // Tables with a number that is no site of the network belong to another installation.
    const [network, ofBoth] = [{ prefix: 'wp_', network: true }, [...tablesOf('wp_2_'), ...tablesOf('wp_')]];
    expect(runTest('ownTables', network)).toEqual([...ofBoth, 'wp_blogs'].toSorted());
    // Without wp_blogs, the archive says which numbers are sites of the network.
    await query('drop table autre.wp_blogs');
    expect(runTest('ownTables', { ...network, sites: ['1', '2'] })).toEqual(ofBoth.toSorted());
    expect(runTest('ownTables', { ...network, sites: [] })).toEqual(tablesOf('wp_'));
  });
});
