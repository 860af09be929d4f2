import { describe, expect, it } from 'vitest';
import { SiteState } from '@vigie/contracts/inventory';
import { parseAnswer, readAnswers } from './answers';
import { cleanText, isClean } from './clean';
import { culpritOf, shortPath } from './culprit';
import { readFolders } from './discover';
import { toSiteState, webAddress } from './site-state';
import { choosePhp } from './php';

describe('readAnswers', () => {
  const word = 'a'.repeat(32);
  const read = (text: string) => readAnswers(Buffer.from(text), word);

  it('finds an answer among other output', () => {
    const noise = '\u001b]0;titre\u0007{"a":1}\n<html>';
    expect(read(`${noise}\n${word}{"a":1}${word}\n\n${word}{"b":"\\u00e9"}${word}\n${noise}`)).toEqual([
      { a: 1 },
      { b: 'é' },
    ]);
  });

  it.each([
    [`{"a":1}`],
    [`\n${'b'.repeat(32)}{"a":1}${'b'.repeat(32)}\n`],
    [`\n${word}{"a":1}`],
    [`\n${word}{"a":${word}\n`],
    [`\n${word}{"a":${'['.repeat(13)}1${']'.repeat(13)}}${word}\n`],
    [`\n${word}{"a":"${'x'.repeat(1_000_001)}"}${word}\n`],
  ])('finds no answer without its word, its end or valid JSON', (text) => {
    expect(read(text)).toEqual([]);
  });

  it('takes linear time, even with many openings without an end or ends without an opening', () => {
    const openings = `\n${word}{`.repeat(300_000);
    const closings = `}${word}\n`.repeat(300_000);
    const startedAt = process.cpuUsage();
    expect(read(`${openings}${'x'.repeat(1_000_001)}}${word}\n\n${word}{"a":1}${word}\n`)).toEqual([{ a: 1 }]);
    expect(read(`${openings}"a":1}${word}\n`)).toEqual([{ a: 1 }]);
    expect(read(`\n${word}{"a":1}${word}\n${closings}`)).toEqual([{ a: 1 }]);
    expect(read(`\n${word}{}${word}\n`.repeat(50_000)).length).toBeLessThan(5_000);
    expect(parseAnswer(`{"a":${'"\\'.repeat(400_000)}`)).toBeUndefined();
    expect(parseAnswer('{"a\\"[[[[[[[[[[[[[":"\\\\"}')).toEqual({ 'a"[[[[[[[[[[[[[': '\\' });
    // A reader that backtracks for each of them would take minutes.
    expect(process.cpuUsage(startedAt).user).toBeLessThan(10_000_000);
  });

  it('refuses endless nesting before parsing it', () => {
    expect(parseAnswer('{"a":'.repeat(500_000))).toBeUndefined();
    expect(parseAnswer('{"a":"[[[[[[[[[[[[[[[[[[[["}')).toEqual({ a: '[[[[[[[[[[[[[[[[[[[[' });
  });
});

describe('text from a host', () => {
  it('becomes one line of limited length without invisible characters', () => {
    expect(cleanText(' a\u0000\u202Eb\n\u001b[31mc\uD800 ', 50)).toBe('a b [31mc');
    expect(cleanText('👩‍💻', 50)).toBe('👩‍💻');
    expect(cleanText('ab🎉', 3)).toBe('ab');
    expect([isClean('é 🎉'), isClean(''), isClean('a\u2028b'), isClean(' a')]).toEqual([true, false, false, false]);
  });

  it('is an address only if a browser may safely open it', () => {
    expect(webAddress('https://exemple.fr/a')).toBe('https://exemple.fr/a');
    for (const bad of ['javascript:alert(1)', 'http://a b', '//x', '', 'http://"><script>', null])
      expect(webAddress(bad)).toBeNull();
  });
});

describe('toFacts', () => {
  const raw = {
    php: '8.2.1',
    core: { version: '6.8', locale: 'fr_FR', offer: '6.9' },
    extensions: [] as unknown[],
    checks: { core: null, plugins: 'cURL error 28\u0000', themes: null },
    database: { kind: 'mariadb' as const, version: '10.11' },
    home: 'https://exemple.fr',
    title: 't',
    content_dir: '/srv/x/wp-content',
    owner: 'www-data',
    multisite: false,
    composer: true,
    forbids: false,
    writable: true,
    needs_boot: ['multisite', 'invented'],
    mark: 'm',
  };
  const stateOf = (extensions: unknown[]) =>
    toSiteState({ ...raw, extensions }, { depth: 'inspect', binary: '/usr/bin/php' });
  const plugin = {
    type: 'plugin',
    kind: 'regular',
    file: 'a/a.php',
    name: 'A',
    version: '1',
    active: true,
    offer: '2',
  };

  it('matches the contract, with known reasons only', () => {
    const result = stateOf([plugin]);
    expect(SiteState.parse(result)).toEqual(result);
    expect(result).toMatchObject({
      core: { hasUpdate: true, new_version: '6.9' },
      checks: {
        core: { checked_at: result.read_at, error: null },
        plugins: { checked_at: null, error: 'cURL error 28' },
      },
      needs_boot: ['multisite'],
      extensions: [{ slug: 'a', status: 'active', hasUpdate: true, new_version: '2' }],
    });
  });

  it.each([
    '-rf/x.php',
    '../x.php',
    'a/../x.php',
    'a/b/c.php',
    '/etc/x.php',
    'a b/x.php',
    'é/x.php',
    'a/x\u202E.php',
    '.a/x.php',
    '',
  ])('lists %j as unusable, and never uses it as a slug', (file) => {
    const result = stateOf([{ ...plugin, file }, plugin, { type: 'nonsense' }, null]);
    expect(result.extensions.map(({ slug }) => slug)).toEqual(['a']);
    expect(result.unusable).toHaveLength(1);
  });

  it('never exceeds the size of a job result', () => {
    const many = Array.from({ length: 2_000 }, (_, at) => ({ ...plugin, file: `p${at}/x.php`, name: 'é'.repeat(300) }));
    const long = Array.from({ length: 60 }, (_, at) => ({ ...plugin, file: `€${at}${'€'.repeat(300)}` }));
    const result = stateOf([...long.slice(0, 20), ...many]);
    expect(Buffer.byteLength(JSON.stringify(stateOf([...many, ...long])))).toBeLessThan(200_000);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(200_000);
    expect(result.extensions.length).toBeGreaterThan(200);
    expect(result.unusable).toHaveLength(50);
    expect(SiteState.safeParse(result).success).toBe(true);
  });
});

describe('choosePhp', () => {
  const cli = 'cli json tokenizer mysqli';
  it('chooses a recent and complete command-line PHP; the known one first', () => {
    expect(choosePhp(`noise\nphp\t8.2.1 ${cli}\t/usr/bin/php`)).toEqual({
      binary: '/usr/bin/php',
      version: '8.2.1',
      hasMysqli: true,
    });
    expect(choosePhp(`php\t7.4.3 ${cli}\t/a/php\nphp\t8.4.0 ${cli}\t/b/php`).binary).toBe('/a/php');
    expect(choosePhp(`php\t8.1.0 cli json tokenizer\t/a/php\nphp\t8.2.0 ${cli}\t/b/php`).binary).toBe('/b/php');
    expect(choosePhp('php\t8.1.0 cli json tokenizer\t/a/php').hasMysqli).toBe(false);
  });

  it('prefers a PHP with posix as root', () => {
    const two = `php\t8.1.0 ${cli}\t/a/php\nphp\t8.2.0 cli json tokenizer posix\t/b/php`;
    expect(choosePhp(two).binary).toBe('/a/php');
    expect(choosePhp(`root\n${two}`).binary).toBe('/b/php');
    expect(choosePhp(`root\nphp\t8.1.0 ${cli}\t/a/php`).binary).toBe('/a/php');
    expect(choosePhp(`root\n${two}\nphp\t8.3.0 ${cli} posix\t/c/php`).binary).toBe('/c/php');
  });

  it.each([
    ['', 'Aucun PHP en ligne de commande n’a été trouvé.'],
    [
      'php\t8.2.1 cgi-fcgi json tokenizer mysqli\t/usr/bin/php',
      'Aucun PHP utilisable\u00a0: /usr/bin/php (8.2.1 cgi-fcgi json tokenizer mysqli).',
    ],
    [`php\t7.3.9 ${cli}\t/usr/bin/php`, 'Aucun PHP utilisable\u00a0: /usr/bin/php (7.3.9 cli json tokenizer mysqli).'],
    ['php\t8.2.1 cli json\t/usr/bin/php', 'Aucun PHP utilisable\u00a0: /usr/bin/php (8.2.1 cli json).'],
    ['php\t\t/usr/bin/php', 'Aucun PHP utilisable\u00a0: /usr/bin/php (ne répond pas).'],
    [`php\t8.2.1 ${cli}\trelative/php`, 'Aucun PHP en ligne de commande n’a été trouvé.'],
  ])('explains its refusal: %j', (output, message) => {
    expect(() => choosePhp(output)).toThrow(message);
  });
});

describe('culpritOf', () => {
  const siteFolders = { roots: ['/srv/site', '/data/releases/3'], content: '/srv/contenu' };
  it.each([
    ['/srv/site/wp-content/plugins/a/b/c.php', { type: 'plugin', slug: 'a' }],
    ['/data/releases/3/wp-content/plugins/seul.php', { type: 'plugin', slug: 'seul' }],
    ['/srv/contenu/themes/phare/functions.php', { type: 'theme', slug: 'phare' }],
    ['/srv/contenu/mu-plugins/garde.php', { type: 'must_use', slug: 'garde' }],
    ['/srv/contenu/object-cache.php', { type: 'drop_in', slug: 'object-cache' }],
    ['/srv/site/wp-includes/plugin.php', { type: 'core', slug: 'wordpress' }],
    ['/srv/site/wp-config.php', { type: 'core', slug: 'wordpress' }],
    ['/srv/contenu/uploads/x.php', null],
    ['/usr/share/php/x.php', null],
  ])('finds the owner of %s by its path', (file, culprit) => {
    expect(culpritOf(file, siteFolders)).toEqual(culprit);
  });

  it('shortens a path below the site’s folder', () => {
    expect(shortPath('/data/releases/3/wp-load.php', siteFolders)).toBe('wp-load.php');
    expect(shortPath('/srv/sitemap.php', siteFolders)).toBe('/srv/sitemap.php');
  });
});

describe('readFolders', () => {
  it('lists each folder once and newest releases only, and reports unreadable folders', () => {
    const output = [
      '/var/www//a/wp-load.php',
      '/var/www/a/wp-load.php',
      '/srv/app/releases/1/wp-load.php',
      '/srv/app/current',
      '/srv/\u202Ex/wp-load.php',
      'find: ‘/home/b’: Permission denied',
      'late /opt',
      'nonsense',
    ].join('\n');
    const { paths, notes } = readFolders(output);
    expect(paths).toEqual([
      '/var/www/a',
      ...['', '/web/wp', '/web', '/public', '/htdocs'].map((below) => `/srv/app/current${below}`),
    ]);
    expect(notes).toEqual(['/home/b\u00a0: accès refusé.', '/opt n’a pas pu être parcouru en entier en 40\u00a0s.']);
  });

  it('takes linear time with as many links as folders', () => {
    const folder = '/srv/releases'.repeat(10);
    const lines = Array.from({ length: 100_000 }, (_, at) => [
      `${folder}/${at}/current`,
      `${folder}/${at}/releases/1/wp-load.php`,
    ]).flat();
    const startedAt = process.cpuUsage();
    const { paths } = readFolders(lines.join('\n'));
    expect(paths.filter((path) => path.endsWith('/releases/1'))).toEqual([]);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(10_000_000);
  });

  it('returns two thousand folders at most', () => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `/srv/${at}/wp-load.php`);
    const { paths, notes } = readFolders(lines.join('\n'));
    expect([paths.length, notes.length]).toEqual([2_000, 1]);
  });
});
