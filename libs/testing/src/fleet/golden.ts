import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { folderElsewhere } from '../temporary';
import { MariaDb } from './mariadb';
import { checkout, deploy, run, runOnHost } from './machine';
import addBlog from './php/add-blog.php';
import install from './php/install.php';
import zip from './php/zip.php';
import { applyEdits, editsOf, type Releases, releasesAfter } from './releases';
import { ancre, balise, type Files, plugins, themes, unofferedPlugins, versions, writeFiles } from './extensions';
import { wpConfig } from './wp-config';

/** Debian's package is the release without some scripts; apt verifies its signature. */
const pinnedHashes = {
  'wordpress_6.1.9+dfsg1-0+deb12u1_all.deb': '506283af0a6194efeb39f2fb19e6131d59142a20b81e280b8e9f331385c54937',
};
/** This address is as long as every clone's, because serialized values in the database store byte counts. */
const goldenUrl = 'http://127.0.0.1:10000';

export type Dump = 'single' | 'network';

/** The cached originals from which sites are copied. */
export type Golden = {
  /** WordPress with plugins and themes, without wp-config.php, owned by deploy. */
  tree: string;
  /** Folder of zips of newer versions, with the paths of downloads.wordpress.org. */
  zips: string;
  version: string;
  releases: Releases;
  /** Dump of an installed site's database for this address. */
  sql(dump: Dump, url: string, prefix: string): string;
};

export const defaultCache = join(process.env['VIGIE_HOME'] || join(checkout, '.vigie'), 'cache');

export const emptyDatabase = (cache: string) => cached(cache, 'mariadb', (folder) => MariaDb.make(folder));

/** Builds the originals on the given server when the cache lacks them. */
export async function makeGolden(cache: string, mariadb: MariaDb): Promise<Golden> {
  const release = await cached(cache, 'wordpress', unpackRelease);
  const version = versionOf(release);
  const extensions = [
    plugins('installed'),
    plugins('offered'),
    themes('installed'),
    themes('offered'),
    ancre,
    balise,
    unofferedPlugins,
  ];
  const releases = releasesAfter(version);
  const edits = namesOf(releases).map((name) => editsOf(name, release, version));
  const key = keyOf([version, JSON.stringify([extensions, edits]), install, addBlog, zip, removeUnminified]);
  const golden = await cached(cache, `golden-${key}`, (folder) => build(folder, release, mariadb));
  const dumps = {
    single: readFileSync(join(golden, 'single.sql'), 'utf8'),
    network: readFileSync(join(golden, 'network.sql'), 'utf8'),
  };
  return {
    tree: join(golden, 'tree'),
    zips: join(golden, 'zips'),
    version,
    releases,
    sql: (dump, url, prefix) => prefixed(dumps[dump], prefix).replaceAll(goldenUrl.slice(7), url.slice(7)),
  };
}

const namesOf = (releases: Releases) => Object.keys(releases) as (keyof Releases)[];

const keyOf = (parts: readonly string[]) => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 12);

const prefixed = (sql: string, prefix: string) =>
  sql
    .replaceAll('`wp_', `\`${prefix}`)
    .replace(/'wp_(capabilities|user_level|user_roles|dashboard_quick_press_last_post_id)'/g, `'${prefix}$1'`);

/** Builds beside the final place and renames; a concurrent second build is discarded. */
async function cached(cache: string, name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  // Built in a folder that unprivileged servers can reach, unlike the cache.
  const temporary = mkdtempSync(join(tmpdir(), 'vigie-cache-'));
  await run('chmod', ['711', temporary]);
  const buildFolder = join(temporary, 'made');
  const part = folderElsewhere(`${folder}.`);
  try {
    mkdirSync(buildFolder);
    await make(buildFolder);
    await run('cp', ['-a', buildFolder, join(part, 'made')]);
    if (!existsSync(folder)) renameSync(join(part, 'made'), folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(part, { recursive: true, force: true });
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}

async function unpackRelease(folder: string): Promise<void> {
  const buildFolder = mkdtempSync(join(tmpdir(), 'vigie-deb-'));
  try {
    const get = () =>
      run('apt-get', ['-q', '-o', 'APT::Sandbox::User=root', 'download', 'wordpress'], {
        cwd: buildFolder,
        env: process.env,
      });
    await get().catch(async () => {
      await run('apt-get', ['-q', 'update'], { env: process.env });
      await get();
    });
    const file = readdirSync(buildFolder)[0] ?? '';
    const hash = createHash('sha256')
      .update(readFileSync(join(buildFolder, file)))
      .digest('hex');
    const pinnedHash = pinnedHashes[decodeURIComponent(file) as keyof typeof pinnedHashes];
    if (pinnedHash !== undefined && pinnedHash !== hash) throw new Error(`${file} is not the file that it was`);
    await run('dpkg-deb', ['-x', join(buildFolder, file), join(buildFolder, 'deb')]);
    // Links to Debian's own script packages are dangling here.
    const copying = 'find -L "$0" -type l -delete; cp -aL "$0/." "$1"; rm -f "$1/wp-config.php" "$1/.htaccess"';
    await run('/bin/sh', ['-c', copying, join(buildFolder, 'deb/usr/share/wordpress'), folder]);
    await run('chmod', ['-R', 'u+w', folder]);
  } finally {
    rmSync(buildFolder, { recursive: true, force: true });
  }
}

const versionOf = (tree: string) =>
  /\$wp_version = '([^']+)'/.exec(readFileSync(join(tree, 'wp-includes/version.php'), 'utf8'))?.[1] ?? '';

const removeUnminified = `find "$0" -name '*.min.js' -o -name '*.min.css' | sed 's/\\.min\\.\\([a-z]*\\)$/.\\1/' | tr '\\n' '\\0' | xargs -0 rm -f`;

async function build(folder: string, release: string, mariadb: MariaDb): Promise<void> {
  const tree = join(folder, 'tree');
  await run('cp', ['-a', release, tree]);
  // Removes unminified scripts and styles, half of the bytes, which every site would copy.
  await run('/bin/sh', ['-c', removeUnminified, tree]);
  for (const [slug, files] of Object.entries(plugins('installed')))
    writeFiles(join(tree, 'wp-content/plugins', slug), files);
  for (const [slug, files] of Object.entries(themes('installed')))
    writeFiles(join(tree, 'wp-content/themes', slug), files);
  writeFiles(join(tree, 'wp-content/plugins'), ancre);
  writeFiles(join(tree, 'wp-content/themes/balise'), balise);
  mkdirSync(join(tree, 'wp-content/uploads'));
  await installAndDump(tree, mariadb, 'single', join(folder, 'single.sql'));
  await installAndDump(tree, mariadb, 'network', join(folder, 'network.sql'));
  rmSync(join(tree, 'wp-config.php'));
  await zipAll(join(folder, 'zips'), tree);
  await run('chown', ['-R', `${deploy.uid}:${deploy.gid}`, tree]);
}

async function installAndDump(tree: string, mariadb: MariaDb, dump: Dump, file: string): Promise<void> {
  const name = `golden_${dump}_${process.pid}`;
  const password = 'golden';
  await mariadb.query(`create database ${name}; grant all on ${name}.* to '${name}'@'%' identified by '${password}';`);
  const config = (constants: readonly string[]) =>
    writeFileSync(
      join(tree, 'wp-config.php'),
      wpConfig({
        name,
        user: name,
        password,
        host: `127.0.0.1:${mariadb.port}`,
        prefix: 'wp_',
        constants,
        abspath: "__DIR__ . '/'",
      }),
    );
  const host = goldenUrl.slice(7);
  const boot = (script: string, args: readonly string[]) => runOnHost('php', ['--', tree, ...args], { input: script });
  config(dump === 'network' ? [`define( 'WP_ALLOW_MULTISITE', true );`] : []);
  await boot(install, [goldenUrl, dump]);
  if (dump === 'network') {
    config(networkConstants(host));
    await boot(addBlog, [host]);
  }
  // WordPress removes the colon from the domain.
  writeFileSync(file, (await mariadb.dump(name)).replaceAll(host.replace(':', ''), host));
  await mariadb.query(`drop database ${name}; drop user '${name}'@'%';`);
}

export const networkConstants = (host: string) => [
  `define( 'WP_ALLOW_MULTISITE', true );`,
  `define( 'MULTISITE', true );`,
  `define( 'SUBDOMAIN_INSTALL', false );`,
  `define( 'DOMAIN_CURRENT_SITE', '${host}' );`,
  `define( 'PATH_CURRENT_SITE', '/' );`,
  `define( 'SITE_ID_CURRENT_SITE', 1 );`,
  `define( 'BLOG_ID_CURRENT_SITE', 1 );`,
];

/** Zips plugins, themes and newer releases, which are this WordPress with a few changed files. */
async function zipAll(zips: string, tree: string): Promise<void> {
  const parts = mkdtempSync(join(tmpdir(), 'vigie-zips-'));
  const pack = async (from: string, name: string, file: string) => {
    mkdirSync(dirname(join(zips, file)), { recursive: true });
    await runOnHost('php', ['--', from, name, join(zips, file)], { input: zip });
  };
  const packExtension = async (kind: 'plugin' | 'theme', slug: string, version: string, files: Files) => {
    const folder = join(parts, `${slug}.${version}`);
    writeFiles(folder, files);
    await pack(folder, slug, `${kind}/${slug}.${version}.zip`);
  };
  try {
    for (const [kind, extensions] of [
      ['plugin', plugins('offered')],
      ['theme', themes('offered')],
    ] as const)
      for (const [slug, files] of Object.entries(extensions))
        await packExtension(kind, slug, versions[slug as keyof typeof versions].offered, files);
    for (const { slug, version, files } of unofferedPlugins) await packExtension('plugin', slug, version, files);
    const core = join(parts, 'wordpress');
    await run('cp', ['-a', tree, core]);
    rmSync(join(core, 'wp-content'), { recursive: true });
    const version = versionOf(tree);
    const releases = releasesAfter(version);
    // Later releases include the changes of earlier ones.
    for (const name of namesOf(releases)) {
      applyEdits(core, editsOf(name, tree, version));
      await pack(core, 'wordpress', `release/wordpress-${releases[name]}.zip`);
    }
  } finally {
    rmSync(parts, { recursive: true, force: true });
  }
}
