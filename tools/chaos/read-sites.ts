import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { leftoversOn, versionOf } from '@vigie/testing/change-stage';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy } from '@vigie/testing/fleet/machine';
import { contentOf, type FleetSite } from '@vigie/testing/fleet/sites';
import { archivesIn, backupsOf } from '@vigie/testing/packs';
import { restoreLeftovers } from '@vigie/testing/restores';
import { verifyArchive } from '@vigie/wpress/verify-archive';
import { core, type Interval, itemName, type SiteState } from './sites-audit';

/** Reads the state of a site from its files and its database. */
export async function readState(fleet: Fleet, site: FleetSite): Promise<SiteState> {
  const plugins = listFolders(site, 'plugins');
  const versions = [
    ...plugins.map((slug) => [slug, versionOf(site, slug)] as const),
    ...listFolders(site, 'themes').map((slug) => [itemName('theme', slug), themeVersion(site, slug)] as const),
    [core, coreVersion(site)] as const,
  ];
  const option = async (name: string) => {
    const rows = await fleet.query(
      site,
      `select option_value from ${site.prefix}options where option_name = '${name}'`,
    );
    return String(rows[0]?.[0]);
  };
  const active = [...(await option('active_plugins')).matchAll(/"([^"/]+)\//g)].map(([, slug = '']) => slug);
  return {
    versions: new Map(versions.flatMap(([name, version]) => (version === undefined ? [] : [[name, version] as const]))),
    // WordPress itself is always active.
    active: new Set([
      ...active.filter((slug) => plugins.includes(slug)),
      itemName('theme', await option('stylesheet')),
      core,
    ]),
  };
}

const listFolders = (site: FleetSite, kind: string) =>
  readdirSync(join(contentOf(site), kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const themeVersion = (site: FleetSite, slug: string) =>
  /Version: (\S+)/.exec(readFileSync(join(contentOf(site), 'themes', slug, 'style.css'), 'utf8'))?.[1];

const coreVersion = (site: FleetSite) =>
  /wp_version = '([^']+)'/.exec(readFileSync(join(site.path, 'wp-includes/version.php'), 'utf8'))?.[1];

export async function findSiteLeftovers(fleet: Fleet, site: FleetSite): Promise<string[]> {
  const names = new Set([...leftoversOn(site), ...(await restoreLeftovers(fleet, site))]);
  return [...names].map((name) => `${site.name} ${name}`);
}

/** Reads the operations and their times from the host's journal. */
export function readJournal(fleet: Fleet): Interval[] {
  const root = join(fleet.host.homeOf(deploy.name), '.vigie/operations');
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((id) => {
    const file = (name: string) => join(root, id, 'run', name);
    // An operation that was stopped before it began has no lock.
    if (!['who', 'code', 'lock'].every((name) => existsSync(file(name)))) return [];
    const lock = readFileSync(file('lock'), 'utf8').trim();
    if (lock === '') return [];
    return [{ id, lock, begin: statSync(file('who')).mtimeMs, end: statSync(file('code')).mtimeMs }];
  });
}

export type Archive = { filename: string; size: number; sha256: string; fault: string | undefined };

export async function readArchives(site: FleetSite): Promise<Archive[]> {
  const folder = backupsOf(contentOf(site));
  const names = archivesIn(folder).filter((name) => name.endsWith('.wpress'));
  return Promise.all(names.map((filename) => readArchive(join(folder, filename), filename)));
}

export async function readArchive(path: string, filename: string): Promise<Archive> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    };
    const fault = await verifyArchive({ size, read }).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    return { filename, size, sha256: createHash('sha256').update(readFileSync(path)).digest('hex'), fault };
  } finally {
    await file.close();
  }
}
