import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { onFleet } from '@vigie/testing/fleet/machine';
import { LoadTests } from './load-tests';

const operation = '018f0000-0000-7000-8000-0123456789ab';
const sign = '0123456789ab';

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
    await query('drop database autre; create database autre');
  });
  afterAll(async () => {
    tests?.close();
    await fleet?.close();
  });

  const query = (sql: string) => fleet.query(fleet.site('plain'), sql);
  const make = (...names: readonly string[]) =>
    query(`use autre; ${names.map((name) => `create table \`${name}\` (id int);`).join(' ')}`);
  const ask = (is: string, more: object) => {
    const [names] = tests.ask<string[] | { stop: object }>([{ is, base, ...more }], { database: 'autre' });
    if (!Array.isArray(names)) throw new Error(JSON.stringify(names));
    return names.toSorted();
  };
  const staged = [`vgo${sign}_0`, `vgr${sign}_1`, `vgr${sign}_at`];

  it('drops what an operation left once nobody can know of it any more, and nobody is at it', async () => {
    const others = ['vgo0000000000bb_0', `vgr${sign}_options`, 'vgr123_1', `vgr${sign}_1x`, 'wp_a'];
    await make(...staged, ...others, 'vgr0000000000cc_new', 'vgr0000000000cc_there');
    await query(`create view autre.vgr0000000000dd_1 as select 1`);
    const kept = [...others, 'vgr0000000000dd_1'].toSorted();
    // What was only tried is never wanted again, as long as nobody tries it now.
    const trying = ask('clear', { live: '018f0000-0000-7000-8000-0000000000cc' });
    expect(trying).toContain('vgr0000000000cc_there');
    expect(ask('clear', {})).toEqual([...kept, ...staged].toSorted());
    expect(ask('clear', { later: 6 })).toEqual([...kept, ...staged].toSorted());
    expect(ask('clear', { later: 8, live: operation })).toEqual([...kept, ...staged].toSorted());
    // Of the one that was renamed nobody knows since when.
    expect(ask('clear', { later: 8 })).toEqual(kept);
  });

  it.each([[['vgroptions', 'vgrposts']], [['options', 'posts']]])(
    'never drops what the prefix of a site begins: %j',
    async (own) => {
      await make(...staged, ...own);
      expect(ask('clear', { later: 8 })).toEqual([...own, ...staged].toSorted());
    },
  );

  it('brings back what was exchanged in part, as the files of its site are', async () => {
    const folder = join(base, `.vigie-${operation}`);
    mkdirSync(folder);
    const facts = { tables: [['wp_a', `vgr${sign}_1`, `vgo${sign}_0`]], views: [] };
    writeFileSync(join(folder, 'tables.json'), JSON.stringify(facts));
    await make(...staged, 'wp_b');
    await query(`insert into autre.vgo${sign}_0 values (7)`);
    // Another site may have the same folder, and be at it.
    expect(ask('clear', {})).toEqual([...staged, 'wp_b']);
    utimesSync(folder, 1, 1);
    expect(ask('clear', {})).toEqual(['wp_a', 'wp_b']);
    expect(await query('select * from autre.wp_a')).toEqual([['7']]);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('tells the tables of a site from those of its neighbours, whichever prefix begins the other', async () => {
    const of = (prefix: string) => ['options', 'posts', 'x'].map((name) => prefix + name);
    await make(...of('wp_'), ...of('wp_2_'), ...of('wp_shop_'), ...of('wp_3_'));
    await query('create table autre.wp_blogs (blog_id bigint); insert into autre.wp_blogs values (1), (2)');
    expect(ask('own', { prefix: 'wp_' })).toEqual(['wp_blogs', ...of('wp_')]);
    expect(ask('own', { prefix: 'wp_2_' })).toEqual(of('wp_2_'));
    expect(ask('own', { prefix: 'wp_shop_' })).toEqual(of('wp_shop_'));
    // What is no site of a network is another installation, whatever its prefix.
    expect(ask('own', { prefix: 'wp_', network: true })).toEqual([...of('wp_2_'), 'wp_blogs', ...of('wp_')].toSorted());
  });
});
