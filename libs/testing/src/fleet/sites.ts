import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { awkwardTables } from './awkward';
import type { Golden } from './golden';
import { type SitePlan, planOf, type SiteKind } from './kinds';
import { run } from './machine';
import type { MariaDb } from './mariadb';
import { fault, writeFiles } from './extensions';
import { wpConfig } from './wp-config';

export type FleetSite = {
  kind: SiteKind;
  name: string;
  /** WordPress root on the host. */
  path: string;
  url: string;
  /** The user that owns the files and runs PHP. */
  owner: string;
  database: string;
  prefix: string;
  /** Where PHP fails on a broken site, and its message. */
  fault?: { file: string; line: number; message: string };
};

export const contentOf = ({ kind, path, url }: FleetSite) => join(path, planOf(kind, path, url).content);

type SiteLocation = { folder: string; port: number; name: string };

/** Copies the golden site with its own database and the particulars of its kind. */
export async function makeSite(
  kind: SiteKind,
  { folder, port, name }: SiteLocation,
  { golden, mariadb }: { golden: Golden; mariadb: MariaDb },
): Promise<FleetSite> {
  const url = `http://127.0.0.1:${port}`;
  const plan = planOf(kind, join(folder, name), url);
  const path = join(plan.folder, plan.wordpressFolder);
  const database = name.replaceAll('-', '_');
  mkdirSync(path, { recursive: true });
  await Promise.all([
    run('cp', ['-a', `${golden.tree}/.`, path]).then(() =>
      finishFiles(kind, plan, path, config(plan, database, mariadb)),
    ),
    mariadb.query(databaseOf(kind, plan, database, golden.sql(plan.dump, url, plan.prefix))),
  ]);
  const site = { kind, name, path, url, owner: plan.owner.name, database, prefix: plan.prefix };
  return kind === 'broken' ? { ...site, fault } : site;
}

const config = (plan: SitePlan, name: string, mariadb: MariaDb) =>
  wpConfig({
    name,
    user: name,
    password: plan.password,
    host: plan.isBySocket ? `localhost:${mariadb.socket}` : `127.0.0.1:${mariadb.port}`,
    prefix: plan.prefix,
    constants: plan.constants,
    abspath: plan.wordpressFolder === '' ? "__DIR__ . '/'" : `__DIR__ . '/${plan.wordpressFolder}/'`,
  });

async function finishFiles(kind: SiteKind, plan: SitePlan, path: string, text: string): Promise<void> {
  if (plan.content !== 'wp-content') renameSync(join(path, 'wp-content'), join(path, plan.content));
  writeFiles(join(path, plan.content), plan.files);
  const file = join(plan.folder, 'wp-config.php');
  writeFileSync(file, text);
  await run('chown', ['-R', `${plan.owner.uid}:${plan.owner.gid}`, plan.folder]);
  // The file has the database password, so only its owner and group may read it.
  await run('chmod', ['640', file]);
  if (kind === 'read-only') await run('chmod', ['-R', 'a-w', plan.folder]);
}

/** SQL that creates a site's database and user and loads a golden dump. */
function databaseOf(kind: SiteKind, plan: SitePlan, name: string, dump: string): string {
  const password = plan.password.replace(/[\\']/g, (sign) => `\\${sign}`);
  const active = plan.activePlugins.toSorted();
  const statements = [
    `create database ${name} default charset utf8mb4;`,
    `grant all on ${name}.* to '${name}'@'%' identified by '${password}';`,
    `grant all on ${name}.* to '${name}'@localhost identified by '${password}';`,
    `use ${name};`,
    dump,
    `update ${plan.prefix}options set option_value = '${serialized(active)}' where option_name = 'active_plugins';`,
    `update ${plan.prefix}options set option_value = '${name}' where option_name = 'blogname';`,
  ];
  if (kind === 'awkward') statements.push(awkwardTables(plan.prefix));
  if (kind === 'multisite')
    statements.push(
      `replace into ${plan.prefix}sitemeta (site_id, meta_key, meta_value) values (1, 'active_sitewide_plugins', '${networkActive}');`,
    );
  return statements.join('\n');
}

const networkPlugin = 'formulaire/formulaire.php';
const networkActive = `a:1:{s:${networkPlugin.length}:"${networkPlugin}";i:1767000000;}`;

/** Serializes a list of strings as PHP does. */
function serialized(list: readonly string[]): string {
  const items = list.map((text, index) => `i:${index};s:${Buffer.byteLength(text)}:"${text}";`);
  return `a:${list.length}:{${items.join('')}}`;
}
