import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onFleet } from '@vigie/testing/fleet/machine';
import { about, archive, end, part, secondEnd, checksumOf } from '@vigie/testing/invalid-archives';
import { mayMount } from '@vigie/testing/mounts';
import { Unpacks } from '@vigie/testing/unpacks';

const describePhp = onFleet(describe);
const itMounts = mayMount() ? it : it.skip;
const mega = 1_048_576;
const header = 4_377;
const operation = '01234567-89ab-4cde-8f01-23456789abcd';
const stage = `.vigie-restore-${operation}`;

/** One file entry of an archive. */
function entry(path: string, content: string | Buffer = path, more: { mtime?: string; crc?: string } = {}): Buffer {
  const slash = path.lastIndexOf('/');
  return part({ name: path.slice(slash + 1), folder: slash < 0 ? '.' : path.slice(0, slash), content, ...more });
}

describePhp('the staged files of an archive', () => {
  let unpacks: Unpacks;
  let content: string;
  const mounted: string[] = [];
  beforeAll(() => {
    unpacks = new Unpacks();
  });
  afterAll(() => unpacks?.close());
  beforeEach(() => {
    content = join(mkdtempSync(join(unpacks.folder, 'site-')), 'wp-content');
    for (const name of ['uploads', 'plugins', 'themes/phare']) mkdirSync(join(content, name), { recursive: true });
  });
  afterEach(() => {
    for (const path of mounted.splice(0)) spawnSync('umount', ['-l', path]);
  });

  function mount(path: string, ...args: string[]): void {
    mkdirSync(path, { recursive: true });
    if (spawnSync('mount', [...args, path]).status !== 0) throw new Error(`not mounted: ${path}`);
    mounted.push(path);
  }

  type UnpackOptions = { site?: object; wants?: string; isBlind?: boolean; fileMode?: number; append?: string };
  function unpack(packed: Buffer | string, { site: siteOptions = {}, ...more }: UnpackOptions = {}) {
    const path = typeof packed === 'string' ? packed : unpacks.writeFile('a.wpress', packed);
    const inside = (name: string) => join(content, name);
    const site = {
      content,
      uploads: inside('uploads'),
      plugins: inside('plugins'),
      themes: [inside('themes')],
      ...siteOptions,
    };
    return unpacks.unpack({ archive: path, site, operation, ...more });
  }

  const bytesOf = (text: string) => Buffer.from(text, 'latin1');
  const staged = (...path: string[]) => join(content, path[0] ?? '', stage, 'new', ...path.slice(1));

  /** Lists files by raw bytes; links count as files. */
  const filesBelow = (path: string): string[] =>
    readdirSync(bytesOf(path), { encoding: 'buffer' }).flatMap((bytes) => {
      const file = join(path, bytes.toString('latin1'));
      return lstatSync(bytesOf(file)).isDirectory() ? filesBelow(file) : [file];
    });
  const filesIn = (path: string) =>
    filesBelow(path)
      .map((file) => file.slice(path.length + 1))
      .toSorted();

  it('are staged exactly as they were packed', () => {
    const entries: [string, string, string | Buffer][] = [
      ['uploads', Buffer.from('a b/été 🎉 $(x).txt').toString('latin1'), 'é'],
      ['uploads', '\xe9 \xff', 'latin'],
      ['plugins', `vitrine/${'n'.repeat(255)}`, Buffer.alloc(512_000, 'x')],
      ['themes', 'phare/vide', ''],
      ['', 'mu-plugins/-rf', Buffer.alloc(2 * mega, 'film')],
    ];
    const parts = entries.map(([root, path, bytes]) => {
      const slash = path.lastIndexOf('/');
      const [name, above] = [bytesOf(path.slice(slash + 1)), slash < 0 ? [] : [path.slice(0, slash)]];
      const folder = bytesOf([root, ...above].filter(Boolean).join('/'));
      return part({ name, folder, content: bytes, mtime: '1500000000', crc: checksumOf(bytes) });
    });
    const result = unpack(secondEnd(Buffer.concat([about(), ...parts])));
    expect(result).toMatchObject({ isUnchanged: true, skipped: { count: 0, examples: [] } });
    expect(result.areas).toEqual(
      ['uploads', 'plugins', 'themes', ''].map((name) => {
        const root = join(content, name);
        return { root, stage: join(root, stage) };
      }),
    );
    expect(lstatSync(join(content, stage)).mode & 0o7777).toBe(0o700);
    for (const [root, path, bytes] of entries) {
      const file = bytesOf(staged(root, path));
      expect(readFileSync(file).equals(Buffer.from(bytes))).toBe(true);
      expect(lstatSync(file)).toMatchObject({ mode: 0o100644, mtimeMs: 1_500_000_000_000 });
    }
    expect(filesBelow(content)).toHaveLength(entries.length);
  });

  it('have the modes of the existing files, otherwise the site’s defaults', () => {
    mkdirSync(join(content, 'uploads/prive'));
    writeFileSync(join(content, 'uploads/prive/a'), '');
    chmodSync(join(content, 'uploads/prive/a'), 0o4640);
    chmodSync(join(content, 'uploads/prive'), 0o2750);
    unpack(archive(entry('uploads/prive/a'), entry('uploads/neuf/a')), { fileMode: 0o664 });
    const modeOf = (path: string) => lstatSync(staged('uploads', path)).mode & 0o7777;
    expect(['prive', 'prive/a', 'neuf', 'neuf/a'].map((path) => modeOf(path).toString(8))).toEqual([
      '2750',
      '640',
      '755',
      '664',
    ]);
  });

  it('are staged beside the site’s own folders', () => {
    const elsewhere = mkdtempSync(join(unpacks.folder, 'elsewhere-'));
    mkdirSync(join(elsewhere, 'ombre'));
    const site = {
      uploads: join(content, '../medias/la'),
      plugins: elsewhere,
      themes: [join(content, 'themes'), elsewhere],
    };
    const paths = ['uploads/a', 'plugins/a', 'themes/phare/a', 'themes/ombre/a', 'themes/neuf/a', 'themes/index.php'];
    const result = unpack(archive(...paths.map((path) => entry(path))), { site });
    const roots = [join(content, '..'), elsewhere, join(content, 'themes')];
    expect(result.areas.map(({ root }) => root)).toEqual(roots);
    expect(roots.map((root) => filesIn(join(root, stage, 'new')))).toEqual([
      ['medias/la/a'],
      ['a', 'ombre/a'],
      ['index.php', 'neuf/a', 'phare/a'],
    ]);
  });

  it('are only those that are selected and may be restored', () => {
    const never = [
      'ai1wm-backups/a.wpress',
      '.vigie-restore-x/a',
      'uploads/.vigie-a',
      'db.php',
      'object-cache.php',
      'advanced-cache.php',
      'sunrise.php',
      'blog-deleted.php',
      'mu-plugins/endurance-page-cache.php',
      'mu-plugins/wpcomsh/a.php',
      'mu-plugins/mu-plugin.php',
      'mu-plugins/sqlite-database-integration/a.php',
      'plugins/sqlite-database-integration/a.php',
      'database/site.sqlite',
      'themes/functions.php',
      'uploads/elementor/css/a.css',
      'uploads/civicrm/a',
      'uploads/a.less.cache',
    ];
    const legal = [
      'a/db.php',
      'a/package.json',
      'mu-plugins/a.php',
      'themes/phare/functions.php',
      'uploads/elementor/a',
    ];
    const read = ['multisite.json', 'database.sql'];
    const result = unpack(archive(...[...read, ...never, ...legal, 'a/unwanted'].map((path) => entry(path))), {
      wants: '~^(?!a/unwanted)~',
    });
    expect(result.skipped).toEqual({ count: never.length, examples: never });
    expect(filesBelow(content)).toHaveLength(legal.length);
    expect(filesIn(join(content, stage, 'new'))).toEqual(['a/db.php', 'a/package.json', 'mu-plugins/a.php']);
  });

  it('may be called wp-config.php, but never replace the site’s own', () => {
    const packed = () => archive(entry('wp-config.php'), entry('uploads/wp-config.php'));
    const above = join(content, '..');
    writeFileSync(join(above, 'wp-config.php'), '');
    expect(unpack(packed(), { site: { root: above } }).skipped.count).toBe(0);
    // A site may have its configuration in the content folder, or one level above the root.
    expect(
      unpack(packed(), { site: { root: above, content: above, uploads: join(above, 'uploads') } }).skipped,
    ).toEqual({
      count: 1,
      examples: ['wp-config.php'],
    });
    expect(unpack(packed(), { site: { root: join(above, 'wp'), content: above } }).skipped.count).toBe(1);
  });

  it('list twenty examples of files that may not be restored', () => {
    const result = unpack(archive(...Array.from({ length: 30 }, (_, n) => entry(`ai1wm-backups/${n}`))));
    expect([result.skipped.count, result.skipped.examples.length]).toEqual([30, 20]);
    expect(existsSync(join(content, stage))).toBe(false);
  });

  it('are never written through a link', () => {
    const outside = mkdtempSync(join(unpacks.folder, 'outside-'));
    symlinkSync(outside, join(content, 'uploads/lien'));
    symlinkSync(join(outside, 'b'), join(content, 'uploads/b'));
    unpack(archive(entry('uploads/lien/sous/a'), entry('uploads/b')));
    expect(readdirSync(outside)).toEqual([]);
    expect(filesIn(staged('uploads'))).toEqual(['b', 'lien/sous/a']);
    expect(lstatSync(staged('uploads', 'lien')).isSymbolicLink()).toBe(false);
  });

  it('are not written if their staging folder exists already', () => {
    const outside = mkdtempSync(join(unpacks.folder, 'outside-'));
    symlinkSync(outside, join(content, 'uploads', stage));
    const refused = { code: 'not_writable', why: 'folder', path: join(content, 'uploads') };
    expect(unpack(archive(entry('uploads/a')))).toMatchObject(refused);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('are no longer trusted if the archive changes meanwhile', () => {
    expect(unpack(archive(entry('a')), { append: 'x' })).toMatchObject({ isUnchanged: false });
  });

  itMounts('are staged on the disk of their target (for a user that may mount)', () => {
    mount(join(content, 'uploads/2026'), '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs');
    mkdirSync(join(content, 'langues'));
    mount(join(content, 'languages'), '--bind', join(content, 'langues'));
    const paths = ['uploads/a', 'uploads/2026/01/a', 'languages/fr/a', 'a'];
    const result = unpack(archive(...paths.map((path) => entry(path))), { isBlind: true });
    const roots = ['uploads', 'uploads/2026', 'languages', ''];
    expect(result.areas.map(({ root }) => root)).toEqual(roots.map((root) => join(content, root)));
    expect(roots.map((root) => filesIn(staged(root)))).toEqual([['a'], ['01/a'], ['fr/a'], ['a']]);
  });

  itMounts('are not staged without room for all (for a user that may mount)', () => {
    mount(join(content, 'uploads'), '-t', 'tmpfs', '-o', 'size=66m', 'tmpfs');
    // Room for either, but not for both.
    const plugins = join(content, 'uploads/extensions');
    mkdirSync(plugins);
    const large = archive(
      entry('uploads/a', Buffer.alloc(mega + 1)),
      entry('plugins/b', Buffer.alloc(mega)),
      entry('a', ''),
    );
    const result = unpack(large, { site: { plugins } });
    const needed = 2 * mega + 4_096;
    expect(result).toMatchObject({ code: 'no_room', why: 'before', needed, free: 66 * mega });
    expect(result.planned).toEqual({ [join(content, 'uploads')]: mega + 4_096, [plugins]: mega, [content]: 0 });
    expect(filesBelow(content)).toEqual([]);
  });

  itMounts('leave only their staging folder if the disk fills up (for a user that may mount)', () => {
    mount(join(content, 'uploads'), '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs');
    writeFileSync(join(content, 'uploads/a'), 'mine');
    const large = archive(entry('uploads/a'), entry('uploads/b', Buffer.alloc(2 * mega)));
    expect(unpack(large, { isBlind: true })).toMatchObject({ code: 'no_room', why: 'write' });
    expect(readdirSync(join(content, 'uploads')).toSorted()).toEqual([stage, 'a']);
    expect(readFileSync(join(content, 'uploads/a'), 'utf8')).toBe('mine');
  });

  itMounts('are refused by a read-only disk (for a user that may mount)', () => {
    mount(join(content, 'uploads'), '-t', 'tmpfs', '-o', 'ro', 'tmpfs');
    const refused = { code: 'not_writable', path: join(content, 'uploads') };
    expect(unpack(archive(entry('a'), entry('uploads/a')), { isBlind: true })).toMatchObject(refused);
    expect(filesIn(staged(''))).toEqual([]);
  });

  it('take little memory, however many they are', () => {
    const path = join(unpacks.folder, 'many.wpress');
    const file = openSync(path, 'w');
    writeSync(file, about());
    for (let n = 0; n < 8; n += 1) {
      const parts = Array.from({ length: 1_000 }, (_, m) => entry(`uploads/${n}/${m % 10}/${m}`, 'x'));
      writeSync(file, Buffer.concat(parts));
    }
    writeSync(file, end);
    closeSync(file);
    const result = unpack(path);
    expect(filesBelow(staged('uploads'))).toHaveLength(8_000);
    expect(result.memory).toBeLessThan(32 * mega);
  });

  it('take little memory, however large they are', () => {
    const path = join(unpacks.folder, 'large.wpress');
    const file = openSync(path, 'w');
    const film = entry('uploads/film', '');
    film.write(String(300 * mega), 255, 'latin1');
    const size = writeSync(file, Buffer.concat([about(), film])) + 300 * mega;
    ftruncateSync(file, size + header);
    closeSync(file);
    const result = unpack(path);
    expect(result).toMatchObject({ isUnchanged: true, last: size });
    expect(lstatSync(staged('uploads', 'film')).size).toBe(300 * mega);
    expect(result.memory).toBeLessThan(32 * mega);
  });
});
