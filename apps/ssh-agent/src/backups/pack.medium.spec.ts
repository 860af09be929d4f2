import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Connection } from '@vigie/ssh/connection';
import { runScript } from '@vigie/ssh/script';
import { targetOf } from '@vigie/testing/ssh-targets';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { siteKinds, type SiteKind } from '@vigie/testing/fleet/kinds';
import { deploy, onFleet } from '@vigie/testing/fleet/machine';
import { fragileTables } from '@vigie/testing/fleet/fragile-tables';
import { backupsOf, beginPack, bytesOf, filesBelow, readPacked } from '@vigie/testing/packs';
import { statArchive } from '@vigie/wordpress/backups';
import type { PackOrder } from '@vigie/wordpress/pack';
import type { Archive, Entry } from '@vigie/wpress/read-archive';

const describeFleet = onFleet(describe);

const guards = ['.htaccess', 'index.html', 'index.php', 'robots.txt', 'web.config'];
const isOurs = (path: string) => /^(package\.json|multisite\.json|database\.sql)$/.test(path);
const isLeftOut = (path: string) => path === 'ai1wm-backups';

describeFleet('a site that is packed', () => {
  let fleet: Fleet;
  let root: Connection;
  let own: Connection;
  beforeAll(async () => {
    fleet = await Fleet.start();
    [root, own] = [await connect(targetOf(fleet.host)), await connect(targetOf(fleet.host, { user: deploy.name }))];
  });
  afterAll(async () => {
    await root?.close();
    await own?.close();
    await fleet?.close();
  });

  const contentOf = (kind: SiteKind) =>
    join(fleet.site(kind).path, kind === 'moved-content' ? 'contenu' : 'wp-content');

  async function pack(kind: SiteKind, more: Partial<PackOrder> = {}, connection = root) {
    const { name, ended } = beginPack(connection, fleet.site(kind), more);
    const { end, reports, printed: said } = await ended;
    if (!end) throw new Error(`it did not end: ${said}`);
    return { end, reports, file: join(backupsOf(contentOf(kind)), name) };
  }

  const packed = async (...args: Parameters<typeof pack>) => {
    const { end, ...rest } = await pack(...args);
    if (end.is !== 'done') throw new Error(`${end.code}: ${end.message}`);
    return { end, ...rest };
  };

  const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  async function filesIn(archive: Archive, entries: Map<string, Entry>) {
    const all: string[] = [];
    for (const entry of entries.values()) {
      if (isOurs(entry.path)) continue;
      all.push(`${entry.path} ${entry.size} ${entry.mtime} ${sha(await bytesOf(archive, entry))}`);
    }
    return all.toSorted();
  }

  const filesOf = (kind: SiteKind) =>
    filesBelow(contentOf(kind), isLeftOut)
      .map(({ path, size, mtime, real }) => `${path} ${size} ${mtime} ${sha(readFileSync(real))}`)
      .toSorted();

  it.each(siteKinds.filter((kind) => kind !== 'read-only' && kind !== 'awkward'))(
    'is packed with all of its files: %s',
    async (kind) => {
      const format = kind === 'other-owner' ? 2 : 1;
      const { end, file, reports } = await packed(kind, { format });
      await readPacked(file, async (archive, entries) => {
        expect(archive.end.version).toBe(format);
        expect(await filesIn(archive, entries)).toEqual(filesOf(kind));
        expect([...entries.keys()].filter(isOurs)).toEqual(
          kind === 'multisite' ? ['package.json', 'multisite.json', 'database.sql'] : ['package.json', 'database.sql'],
        );
        const { url } = fleet.site(kind);
        expect(archive.about).toMatchObject({
          siteUrl: url,
          homeUrl: url,
          template: 'phare',
          wordpress: { content: contentOf(kind) },
        });
        expect(archive.about.plugins).toContain('vitrine/vitrine.php');
        expect({ missed: end.missed, size: end.size, entries: end.entries }).toEqual({
          missed: 0,
          size: statSync(file).size,
          entries: entries.size,
        });
      });
      expect(reports.map(({ step }) => step)).toEqual(expect.arrayContaining(['checks', 'database']));
      const { uid, gid, mode } = statSync(file);
      const owner = statSync(join(fleet.site(kind).path, 'wp-load.php'));
      expect([uid, gid, mode & 0o777]).toEqual([owner.uid, owner.gid, 0o600]);
      expect(
        filesBelow(dirname(file), () => false)
          .map(({ path }) => path)
          .toSorted(),
      ).toEqual([...guards, file.slice(dirname(file).length + 1)].toSorted());
    },
  );

  it('is refused with a sentence when its owner may not write, and left unchanged', async () => {
    const { end } = await pack('read-only');
    expect(end).toMatchObject({ is: 'refused', code: 'not_writable' });
    expect(end).toHaveProperty('message', expect.stringContaining(contentOf('read-only')));
    expect(filesBelow(contentOf('read-only'), () => false).filter(({ path }) => isLeftOut(path))).toEqual([]);
  });

  it('is refused when the login may not read it', async () => {
    const { end } = await pack('other-owner', {}, own);
    expect(end).toMatchObject({
      is: 'refused',
      code: 'configuration',
      message: expect.stringContaining('wp-config.php'),
    });
  });

  describe('with content that other plugins lose', () => {
    const content = () => contentOf('awkward');
    let archived: Awaited<ReturnType<typeof packed>>;
    beforeAll(async () => {
      const site = fleet.site('awkward');
      await fleet.query(site, fragileTables(site.prefix));
      await fleet.query(
        site,
        `create sequence ${site.prefix}counter; create view ${site.prefix}outside as select user from mysql.user;
         create trigger ${site.prefix}reaching after insert on ${site.prefix}ports for each row delete from mysql.user;`,
      );
      const put = (path: string, bytes: Buffer | string) => {
        mkdirSync(join(content(), 'uploads', dirname(path)), { recursive: true });
        writeFileSync(join(content(), 'uploads', path), bytes);
      };
      for (const size of [0, 1, 511_999, 512_000, 524_288, 524_289, 1_100_000])
        put(`tailles/${size}`, Buffer.alloc(size, 'Vigie '));
      put(`long/${'é'.repeat(127)}`, 'x');
      put('cache/gardé', 'x');
      put('fermé', 'x');
      put('anti\\slash', 'x');
      put('deux\nlignes', 'x');
      writeFileSync(join(content(), 'package.json'), '{}');
      mkdirSync(join(content(), 'cache'));
      writeFileSync(join(content(), 'cache/page.html'), 'x');
      const other = join(site.path, '..', 'autre montage');
      mkdirSync(other);
      writeFileSync(join(other, 'photo.jpg'), 'photo');
      symlinkSync(other, join(content(), 'uploads/ailleurs'));
      symlinkSync('../..', join(content(), 'uploads/boucle'));
      symlinkSync('nulle part', join(content(), 'uploads/rien'));
      symlinkSync('tailles/1', join(content(), 'uploads/lien'));
      for (const each of filesBelow(content(), () => false)) chownSync(each.real, deploy.uid, deploy.gid);
      chmodSync(join(content(), 'uploads/fermé'), 0o000);
      chownSync(join(content(), 'uploads/fermé'), 0, 0);
      chownSync(content(), deploy.uid, deploy.gid);
      archived = await packed('awkward', { without: { cache: true } });
    });

    it('holds every file it can read, and names those it cannot', async () => {
      const { end, file } = archived;
      const { prefix } = fleet.site('awkward');
      // A restore would not recreate sequences, nor definitions that reach into another database.
      const definitions = [`${prefix}counter`, `${prefix}reaching`, 'SERVMASK_PREFIX_outside'];
      expect(end.examples.toSorted()).toEqual(
        [
          ...definitions.map((name) => `database.sql: ${name}`),
          ...['anti\\slash', 'boucle', 'deux lignes', 'fermé', 'rien'].map((name) => `uploads/${name}`),
        ].toSorted(),
      );
      expect(end.missed).toBe(8);
      const left = new Set(['package.json', 'cache', ...end.examples, 'uploads/deux\nlignes', 'ai1wm-backups']);
      const wanted = filesBelow(content(), (path) => left.has(path));
      const inFile = await readPacked(file, filesIn);
      expect(inFile).toEqual(
        wanted.map(({ path, size, mtime, real }) => `${path} ${size} ${mtime} ${sha(readFileSync(real))}`).toSorted(),
      );
      expect(inFile.filter((line) => /^uploads\/(ailleurs\/photo\.jpg|lien|cache\/gardé) /.test(line))).toHaveLength(3);
    });

    it('writes the values of a row the same at once as one by one', async () => {
      const site = fleet.site('awkward');
      const texts = ['l’été', '', '\\', 'à\\la\nfin\\', '\'"\0\r\x1a %s %d \\n', '_transient_a', 'SERVMASK_prefix_a'];
      const torn = ['a\x01\\\x01\x02b', 'a\x01', '\x02b', 'a\\', "l'".repeat(150_000)];
      // Only without a NULL are they escaped together.
      const inserted = [...texts, ...torn].flatMap((text, n) => {
        const value = `x'${Buffer.from(text).toString('hex')}'`;
        return [`(${value}, ${n}, 1.5)`, `(${value}, ${n}, null)`];
      });
      const table = `${site.prefix}at_once`;
      const columns = '(`wo%srds` longtext, n int, nothing float, more text as (n) virtual)';
      await fleet.query(
        site,
        `create table ${table} ${columns}; insert into ${table} (\`wo%srds\`, n, nothing) values ${inserted.join()}`,
      );
      const { file } = await packed('awkward', { without: { media: true } });
      await fleet.query(site, `drop table ${table}`);
      const dump = await readPacked(file, async (archive, entries) =>
        (await bytesOf(archive, entries.get('database.sql'))).toString(),
      );
      const written = dump.split('\n').filter((line) => line.startsWith('INSERT INTO `SERVMASK_PREFIX_at_once`'));
      expect(written).toHaveLength(inserted.length);
      const [together, alone] = [written.filter((_, n) => n % 2 === 0), written.filter((_, n) => n % 2 === 1)];
      expect(together).toEqual(alone.map((line) => line.replace(/,NULL\);$/, ',1.5);')));
      expect(together[0]).toBe(
        "INSERT INTO `SERVMASK_PREFIX_at_once` (`wo%srds`,`n`,`nothing`) VALUES ('l’été',0,1.5);",
      );
    });

    it('has the same checksum by a program of the host and by PHP alone', async () => {
      const { path } = fleet.site('awkward');
      const alone = join(path, '..', 'php-alone');
      writeFileSync(alone, '#!/bin/sh\nexec /usr/bin/php -d disable_functions=proc_open "$@"\n', { mode: 0o755 });
      const host = { run: (script: string, options?: object) => runScript(root, script, options) };
      const hash = async (php: string) => {
        const name = basename(archived.file);
        return (await statArchive(host, { path, content: content(), php }, { name, isHashed: true }))?.sha256;
      };
      const expected = sha(readFileSync(archived.file));
      expect([await hash('/usr/bin/php'), await hash(alone)]).toEqual([expected, expected]);
    });

    it('needs little memory', () => {
      expect(archived.end.memory).toBeLessThanOrEqual(32 * 1_048_576);
    });

    /**
     * Imports a dump as the plugin does, statement by statement, without those that it drops. The rows of a table go in
     * together, as in a restore by Vigie.
     */
    async function load(dump: string, prefix: string, into: string): Promise<void> {
      const statements: string[] = [];
      let [statement, head] = ['', ''];
      for (const line of dump.split('\n').filter((text) => !text.startsWith('--'))) {
        statement += `${line}\n`;
        if (!/;\s*$/.test(line)) continue;
        const isDropped = /'_(site_)?transient_|'_wc_session_|'_wpallimport_session_/.test(statement);
        const begin = /^INSERT INTO .*? VALUES (?=\()/.exec(statement)?.[0] ?? '';
        if (begin !== '' && begin === head && !isDropped) {
          statements.push(statements.pop()?.replace(/;\n$/, ',') ?? '', statement.slice(begin.length));
        } else if (!isDropped) statements.push(statement);
        if (!isDropped) head = (statements.length % 500) + 1 === 500 ? '' : begin;
        statement = '';
      }
      expect(statement.trim()).toBe('');
      const sql = statements.join('').replace(/SERVMASK_PREFIX_/gi, prefix);
      await fleet.query(fleet.site('awkward'), `create database ${into}; use ${into}; set sql_mode = '';\n${sql}`);
    }

    /** All rows of tables, with every value as hexadecimal. */
    async function rows(database: string, tables: readonly string[]): Promise<Map<string, string[]>> {
      const site = fleet.site('awkward');
      const columns = await fleet.query(
        site,
        `select table_name, column_name, data_type from information_schema.columns where table_schema = '${database}' order by ordinal_position`,
      );
      const hexOf = ([, name = '', type = '']: readonly string[]) => {
        const quoted = `\`${name}\``;
        const value = type === 'bit' ? `${quoted} + 0` : type === 'float' ? `${quoted} + 0e0` : quoted;
        return `ifnull(hex(concat(${value}, '')), '-')`;
      };
      const selects = tables.map((table, index) => {
        const list = columns.filter(([name]) => name === table).map(hexOf);
        return `select ${[index, ...list].join(', ')} from \`${database}\`.\`${table}\``;
      });
      const values = await fleet.query(site, selects.join(';\n'));
      const rowsOf = (wanted: number) =>
        values.flatMap(([index, ...row]) => (Number(index) === wanted ? [row.join(' ')] : []));
      return new Map(tables.map((table, index) => [table, rowsOf(index).toSorted()]));
    }

    const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();

    it('dumps every row of the database, byte by byte, with keys and triggers', async () => {
      const site = fleet.site('awkward');
      const { prefix } = site;
      const { dump, note } = await readPacked(archived.file, async (archive, entries) => ({
        dump: (await bytesOf(archive, entries.get('database.sql'))).toString(),
        note: archive.about.note,
      }));
      await load(dump, prefix, 'scratch');
      const tables = (
        await fleet.query(
          site,
          `select table_name from information_schema.tables where table_schema = '${site.database}' and table_type = 'BASE TABLE' and table_name like '${prefix.replaceAll('_', '\\_')}%'`,
        )
      ).flat();
      expect(tables.length).toBeGreaterThan(18);
      expect(note?.tables.map(({ name }) => name.replace('SERVMASK_PREFIX_', prefix)).toSorted()).toEqual(
        tables.toSorted(),
      );
      const lost = ['_transient_', '_site_transient_', 'ai1wm_secret_key'].map(hex);
      const blank = ['active_plugins', 'template', 'stylesheet'].map(hex);
      const [before, after] = [await rows(site.database, tables), await rows('scratch', tables)];
      for (const table of tables) {
        const isOption = table === `${prefix}options`;
        const [rowsBefore, rowsAfter] = [before.get(table) ?? [], after.get(table) ?? []];
        const isKept = (row: string) => {
          const [, name = ''] = row.split(' ');
          return !isOption || (!lost.some((text) => name.startsWith(text)) && !blank.includes(name));
        };
        expect([table, rowsAfter.filter(isKept)]).toEqual([table, rowsBefore.filter(isKept)]);
        expect([table, rowsAfter.length - rowsAfter.filter(isKept).length]).toEqual([
          table,
          isOption ? blank.length : 0,
        ]);
      }
      const definitions = [...(note?.definitions.foreignKeys ?? []), ...(note?.definitions.triggers ?? [])];
      expect(definitions.map(({ name }) => name)).toEqual([
        `${prefix}ships_ibfk_1`,
        `${prefix}named`,
        `${prefix}counted`,
      ]);
      const sql = definitions.map((each) => `${each.sql.replaceAll('SERVMASK_PREFIX_', prefix)}//`).join('\n');
      await fleet.query(site, `use scratch;\ndelimiter //\n${sql}\n`);
      const made = await fleet.query(
        site,
        `use scratch; insert into ${prefix}ports values (7, ' Nantes '); select (select name from ${prefix}seen where id = 7), (select count(*) from ${prefix}afar), (select port from ${prefix}ships where id = 1007)`,
      );
      expect(made).toEqual([['Nantes', '3', '7']]);
    });

    it('leaves out what the order excludes, and lists it', async () => {
      const { prefix, path } = fleet.site('awkward');
      const { file } = await packed('awkward', {
        site: { path, url: fleet.site('awkward').url },
        without: {
          media: true,
          themes: true,
          inactive_plugins: true,
          mu_plugins: true,
          tables: [`${prefix}many`],
          files: ['plugins/vitrine/readme.txt'],
        },
      });
      await readPacked(file, async (archive, entries) => {
        const names = [...entries.values()].map(({ path: name }) => name);
        expect(names.filter((name) => /^(uploads|themes|mu-plugins|plugins\/akismet)\//.test(name))).toEqual([]);
        expect(names).toEqual(
          expect.arrayContaining(['cache/page.html', 'plugins/vitrine/vitrine.php', 'plugins/ancre.php']),
        );
        expect(names).not.toContain('plugins/vitrine/readme.txt');
        expect(archive.about.without).toEqual(['NoMedia', 'NoThemes', 'NoMustUsePlugins', 'NoInactivePlugins']);
        expect((await bytesOf(archive, entries.get('database.sql'))).toString()).not.toContain('_many`');
      });
    });
  });
});
