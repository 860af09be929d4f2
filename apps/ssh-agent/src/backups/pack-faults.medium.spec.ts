import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '@vigie/ssh/connection';
import { stop } from '@vigie/ssh/journal';
import { runScript } from '@vigie/ssh/script';
import { uploadTo } from '@vigie/ssh/transfer';
import { targetOf } from '@vigie/testing/ssh-targets';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { killOperation, processesOf } from '@vigie/testing/operations';
import { archivesIn, beginPack, bytesOf, freeze, readPacked } from '@vigie/testing/packs';
import { until } from '@vigie/testing/until';
import { mayMount } from '@vigie/testing/mounts';
import { prepareFolder, writeArchive } from '@vigie/wordpress/backups';
import { deletePart, type PackOrder } from '@vigie/wordpress/pack';

const describeFleet = onFleet(describe);
const mega = 1_048_576;

describeFleet('a site that is packed', () => {
  let fleet: Fleet;
  let connection: Connection;
  let content: string;
  let folder: string;
  let large: string;
  beforeAll(async () => {
    fleet = await Fleet.start({ kinds: ['plain'] });
    connection = await connect(targetOf(fleet.host));
    content = join(fleet.site('plain').path, 'wp-content');
    folder = join(content, 'ai1wm-backups');
    large = join(content, 'uploads/grand.bin');
    mkdirSync(folder);
    chownSync(folder, deploy.uid, deploy.gid);
    grow(200);
  });
  afterAll(async () => {
    await connection?.close();
    await fleet?.close();
  });
  afterEach(() => {
    for (const name of archivesIn(folder)) rmSync(join(folder, name));
    grow(200);
  });

  /** In megabytes: large enough that the test stops the pack before everything is written. */
  const endless = 2_000;
  /** A sparse file, which takes no room on the disk. */
  function grow(megabytes: number): void {
    writeFileSync(large, '');
    chownSync(large, deploy.uid, deploy.gid);
    truncateSync(large, megabytes * mega);
  }

  const host = { run: (script: string, options: object) => runScript(connection, script, options) };

  function begin(more: Partial<PackOrder> = {}) {
    const { operation, name, ended } = beginPack(connection, fleet.site('plain'), more);
    return { operation, part: join(folder, `.vigie-${operation}.part`), file: join(folder, name), ended };
  }

  const entriesOf = (file: string) =>
    readPacked(file, async (archive, entries) => ({
      entries,
      dump: (await bytesOf(archive, entries.get('database.sql'))).toString(),
    }));

  it.each([1, 2] as const)('may change meanwhile: each file is packed as it was read, in format %i', async (format) => {
    grow(endless);
    const { operation, part, file, ended } = begin({ format });
    const pid = await freeze(operation, part, 20 * mega);
    const size = statSync(part).size + 10 * mega;
    truncateSync(large, size);
    process.kill(pid, 'SIGCONT');
    expect((await ended).end).toMatchObject({ is: 'done', missed: 0 });
    const { entries } = await entriesOf(file);
    expect(entries.get('uploads/grand.bin')?.size).toBe(size);
    expect(entries.has('themes/phare/style.css')).toBe(true);
  });

  it('packs one moment of its database, however much is written meanwhile', async () => {
    const site = fleet.site('plain');
    const { prefix } = site;
    await fleet.query(
      site,
      `create table ${prefix}a (id int primary key); create table ${prefix}b (id int primary key, count int, filler char(200) default 'x');
       create table ${prefix}c (id int primary key); create table other_flag (on_ int); insert into other_flag values (1);
       insert into ${prefix}b (id, count) select seq, 0 from seq_1_to_40000;
       delimiter //
       create procedure scribble() begin declare i int default 0; while (select count(*) from other_flag) > 0 do
         start transaction; insert into ${prefix}a values (i); update ${prefix}b set count = count + 1 where id = 40000 - i % 40000;
         insert into ${prefix}c values (i); commit; set i = i + 1; end while; end//`,
    );
    const scribbling = fleet.query(site, 'call scribble()');
    const counted = async () => Number((await fleet.query(site, `select count(*) from ${prefix}a`))[0]?.[0]);
    await until(async () => (await counted()) > 50);
    const { file, ended } = begin({ without: { media: true } });
    expect((await ended).end).toMatchObject({ is: 'done' });
    await fleet.query(site, 'delete from other_flag');
    await scribbling;
    const { dump } = await entriesOf(file);
    const inserted = (table: string) =>
      dump.match(new RegExp(`^INSERT INTO .SERVMASK_PREFIX_${table}. VALUES \\(.*$`, 'gm')) ?? [];
    const [a, b, c] = [inserted('a').length, inserted('b'), inserted('c').length];
    const updates = b.reduce((sum, line) => sum + Number(/VALUES \(\d+,(\d+),/.exec(line)?.[1]), 0);
    expect(a).toBeGreaterThan(50);
    expect([b.length, c, updates]).toEqual([40_000, a, a]);
    expect(await counted()).toBeGreaterThan(a);
    await fleet.query(site, `drop procedure scribble; drop table ${prefix}a, ${prefix}b, ${prefix}c, other_flag`);
  });

  it.each([
    ['as soon as it starts', 1],
    ['among its files', 40 * mega],
  ])('leaves nothing when it is stopped: %s', async (_, bytes) => {
    grow(endless);
    const { operation, part, file, ended } = begin();
    await freeze(operation, part, bytes);
    expect(await stop(connection, operation, { graceSeconds: 5 })).toBe('stopped');
    const { end } = await ended;
    expect(end === undefined || end.is === 'failed').toBe(true);
    expect(archivesIn(folder)).toEqual([]);
    expect(processesOf(operation)).toEqual([]);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('leaves nothing when its PHP is killed, and fails', async () => {
    grow(endless);
    const { operation, part, ended } = begin();
    process.kill(await freeze(operation, part, 40 * mega), 'SIGKILL');
    const { end, code } = await ended;
    expect([end?.is, code === 0]).toEqual(['failed', false]);
    expect(end).toMatchObject({ code: 'died', message: expect.stringContaining('rien n’en reste') });
    expect(archivesIn(folder)).toEqual([]);
  });

  it('leaves a part when everything is killed at once, which we or the next pack remove', async () => {
    const killed = async () => {
      grow(endless);
      const { operation, part, ended } = begin();
      await freeze(operation, part, 30 * mega);
      killOperation(operation);
      const { end, part: reportedPart } = await ended;
      expect([end, reportedPart]).toEqual([undefined, part]);
      expect(archivesIn(folder)).toEqual([`.vigie-${operation}.part`]);
      return { operation, part };
    };
    const { operation, part } = await killed();
    await deletePart(host, randomUUID(), part);
    expect(archivesIn(folder)).toHaveLength(1);
    await deletePart(host, operation, part);
    expect(archivesIn(folder)).toEqual([]);
    await killed();
    const { file, ended } = begin({ without: { media: true } });
    expect((await ended).end).toMatchObject({ is: 'done' });
    expect(archivesIn(folder).map((name) => join(folder, name))).toEqual([file]);
  });

  it('keeps the part of a transfer until ten minutes after it last grew', async () => {
    const location = { path: fleet.site('plain').path, content: null, php: 'php' };
    const part = { operation: randomUUID(), name: 'envoi.wpress', size: 2 * mega, sha256: '0'.repeat(64) };
    const partsIn = () => archivesIn(folder).filter((name) => name.endsWith('.part'));
    const packAfter = async (seconds: number) => {
      const [name = ''] = partsIn();
      const then = Date.now() / 1_000 - seconds;
      utimesSync(join(folder, name), then, then);
      expect((await begin({ without: { media: true } }).ended).end).toMatchObject({ is: 'done' });
      return partsIn();
    };
    expect(await prepareFolder(host, location, part)).toEqual({ is: 'ready', have: 0 });
    const { script, args } = writeArchive(location, part.operation, 0);
    const half = async function* () {
      yield Buffer.alloc(mega);
    };
    await uploadTo(connection, script, half(), { args });
    const [waiting] = partsIn();
    expect(await packAfter(540)).toEqual([waiting]);
    // Resuming touches the part before its next byte comes.
    expect(await prepareFolder(host, location, part)).toEqual({ is: 'ready', have: mega });
    expect(Date.now() / 1_000 - statSync(join(folder, String(waiting))).mtimeMs / 1_000).toBeLessThan(60);
    expect(await packAfter(660)).toEqual([]);
  });

  it('is not packed twice under the same name', async () => {
    const first = begin({ without: { media: true } });
    await first.ended;
    const { size, mtimeMs } = statSync(first.file);
    const second = begin({ name: first.file.slice(folder.length + 1) });
    expect((await second.ended).end).toMatchObject({ is: 'refused', code: 'exists' });
    expect(statSync(first.file)).toMatchObject({ size, mtimeMs });
  });

  it.each([
    ["define( 'DB_NAME', 'nowhere' );", 'database', /base de données du site ne répond pas/],
    ["die( 'fermé' );", 'configuration', /wp-config\.php du site arrête PHP/],
    ["define( 'DB_ENGINE', 'sqlite' );", 'sqlite', /SQLite/],
    ['nothing();', 'configuration', /undefined function nothing/],
  ])('is refused with a sentence when its configuration says %s', async (line, code, sentence) => {
    const config = join(fleet.site('plain').path, 'wp-config.php');
    const original = readFileSync(config, 'utf8');
    writeFileSync(config, original.replace('<?php', `<?php\n${line}`));
    try {
      const { end } = await begin().ended;
      expect(end).toMatchObject({ is: 'refused', code, message: expect.stringMatching(sentence) });
    } finally {
      writeFileSync(config, original);
    }
    expect(archivesIn(folder)).toEqual([]);
  });

  (mayMount() ? describe : describe.skip)('on a disk of its own (for a user who may mount)', () => {
    const mount = (size: string) =>
      spawnSync('mount', [
        '-t',
        'tmpfs',
        '-o',
        `size=${size},uid=${deploy.uid},gid=${deploy.gid},mode=0755`,
        'tmpfs',
        folder,
      ]);
    afterEach(() => void spawnSync('umount', [folder]));

    it('is refused before anything is written when there is no room', async () => {
      expect(mount('150m').status).toBe(0);
      const { end } = await begin().ended;
      expect(end).toMatchObject({ is: 'refused', code: 'no_room' });
      expect(end).toHaveProperty(
        'message',
        expect.stringMatching(/prendrait environ 20\d,\d\u00a0Mo, et il ne reste que 150,0\u00a0Mo/),
      );
      expect(archivesIn(folder)).toEqual([]);
    });

    it('leaves nothing when the disk fills up meanwhile', async () => {
      expect(mount('300m').status).toBe(0);
      const { operation, part, ended } = begin();
      const pid = await freeze(operation, part, 20 * mega);
      // Without blocking this process, whose connection would take its own delay for one of the server.
      await expect(writeFile(join(folder, 'filler'), Buffer.alloc(300 * mega))).rejects.toThrow('ENOSPC');
      process.kill(pid, 'SIGCONT');
      const { end } = await ended;
      expect(end).toMatchObject({ is: 'failed', code: 'no_room', message: expect.stringContaining('s’est rempli') });
      expect(archivesIn(folder)).toEqual([]);
    });
  });
});
