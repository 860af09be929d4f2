import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Versions of fake releases newer than the installed WordPress. */
export type Releases = {
  /** The same release with another number. */
  offered: string;
  /** Has a database migration, which counts its runs in the option `tides`. */
  migrating: string;
  /** Has the migration and cannot start. */
  broken: string;
};

type Edit = (text: string) => string;

/** Increases the last number, so that 6.1.10 follows 6.1.9. */
const increase = (version: string, by: number) => version.replace(/\d+$/, (last) => `${Number(last) + by}`);

export const releasesAfter = (version: string): Releases => ({
  offered: increase(version, 1),
  migrating: increase(version, 2),
  broken: increase(version, 3),
});

const withVersion =
  (from: string, to: string): Edit =>
  (text) =>
    replaceOnce(text, `'${from}'`, `'${to}'`);

const databaseVersion = /\$wp_db_version = (\d+);/;

const withNextDatabaseVersion: Edit = (text) =>
  replaceOnce(text, databaseVersion, (_, version: string) => `$wp_db_version = ${Number(version) + 1};`);

const withMigration =
  (version: number): Edit =>
  (text) =>
    `${replaceOnce(
      text,
      '\tmaybe_disable_link_manager();',
      `\tif ( $wp_current_db_version < ${version + 1} ) {\n\t\tupgrade_tides();\n\t}\n\n\tmaybe_disable_link_manager();`,
    )}\nfunction upgrade_tides() {\n\tupdate_option( 'tides', 1 + (int) get_option( 'tides', 0 ) );\n}\n`;

const withFatalError: Edit = (text) => `${text}\nrelease_that_nobody_tried();\n`;

/** Contents of the files that a release changes, by path. */
export function editsOf(release: keyof Releases, tree: string, version: string): Record<string, string> {
  const read = (file: string) => readFileSync(join(tree, file), 'utf8');
  const numbered = withVersion(version, releasesAfter(version)[release])(read('wp-includes/version.php'));
  if (release === 'offered') return { 'wp-includes/version.php': numbered };
  const database = Number(databaseVersion.exec(numbered)?.[1]);
  const upgrade = 'wp-admin/includes/upgrade.php';
  const filters = 'wp-includes/default-filters.php';
  return {
    'wp-includes/version.php': withNextDatabaseVersion(numbered),
    [upgrade]: withMigration(database)(read(upgrade)),
    ...(release === 'broken' && { [filters]: withFatalError(read(filters)) }),
  };
}

export function applyEdits(folder: string, edits: Record<string, string>): void {
  for (const [file, text] of Object.entries(edits)) writeFileSync(join(folder, file), text);
}

function replaceOnce(text: string, from: string | RegExp, to: string | ((...match: string[]) => string)): string {
  const result = typeof to === 'string' ? text.replace(from, () => to) : text.replace(from, to);
  if (result === text) throw new Error(`this WordPress has no ${String(from)}`);
  return result;
}
