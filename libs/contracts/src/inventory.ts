import { z } from 'zod';
import { timestamp } from './text';

/** What a host says is bounded before it is believed. */
const words = (max: number) => z.string().max(max);

const ExtensionType = z.enum(['plugin', 'theme']);

/** Of a plugin its folder, or its file without `.php`; of a theme its folder. */
export const slugRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,190}$/;

/** A plugin or a theme of one site. */
export const Extension = z.object({
  type: ExtensionType,
  slug: z.string().regex(slugRule),
  /** Of a plugin its main file, as WordPress names it. */
  file: words(400).nullable(),
  name: words(300),
  version: words(60).nullable(),
  status: z.enum(['active', 'inactive']),
  /** `must_use` and `drop_in` are shown, and never changed. `sort` where both are at hand: of an `Item`, `kind` is this `type`. */
  kind: z.enum(['regular', 'must_use', 'drop_in']),
  is_network_active: z.boolean(),
  /** Of a theme that is the child of another. */
  parent: words(191).nullable(),
  hasUpdate: z.boolean(),
  new_version: words(60).nullable(),
});
export type Extension = z.infer<typeof Extension>;

/** The last *successful* check for updates, and why the newest one told nothing. */
export const UpdateCheck = z.object({ checked_at: timestamp.nullable(), error: words(500).nullable() });
export type UpdateCheck = z.infer<typeof UpdateCheck>;

/** Why what was read without starting WordPress may not be what WordPress itself would say. */
export const bootReasons = [
  'multisite',
  'object_cache',
  'computed_config',
  'database_unreachable',
  'unknown_drop_in',
  'unreadable',
] as const;

/** A site that cannot start: where it stops, and whose code that is. */
export const SiteProblem = z.object({
  kind: z.enum(['fatal', 'ended_early', 'timeout', 'database', 'not_wordpress', 'no_php', 'unreadable']),
  message: words(1_000),
  /** Below the site's own folder where it lies there. */
  file: words(500).nullable(),
  line: z.int().nullable(),
  culprit: z.object({ type: z.enum(['plugin', 'theme', 'must_use', 'drop_in', 'core']), slug: words(191) }).nullable(),
});
export type SiteProblem = z.infer<typeof SiteProblem>;

/** What one look at a site found. `scan` reads files and tables; `inspect` asked WordPress itself. */
export const SiteFacts = z.object({
  depth: z.enum(['scan', 'inspect']),
  /** When it began: what changes meanwhile may not be in it. */
  read_at: timestamp,
  /** Of an inspection, which may take long. */
  ended_at: timestamp.nullish(),
  core: z.object({
    version: words(60).nullable(),
    locale: words(20).nullable(),
    hasUpdate: z.boolean(),
    new_version: words(60).nullable(),
  }),
  extensions: z.array(Extension).max(2_000),
  /** Files whose names nobody may use: shown, never touched. */
  unusable: z.array(words(300)).max(50),
  checks: z.object({ core: UpdateCheck, plugins: UpdateCheck, themes: UpdateCheck }),
  php: z.object({ binary: words(300), version: words(30) }).nullable(),
  database: z.object({ kind: z.enum(['mysql', 'mariadb', 'sqlite', 'other']), version: words(100) }).nullable(),
  /** As WordPress has it: what the site takes itself for. */
  home_url: words(2_048).nullable(),
  content_dir: words(4_096).nullable(),
  /** Who its files belong to. */
  owner: words(100).nullable(),
  is_multisite: z.boolean(),
  is_composer: z.boolean(),
  /** `DISALLOW_FILE_MODS`: nothing may be installed or updated there. */
  forbids_changes: z.boolean(),
  is_writable: z.boolean().nullable(),
  needs_boot: z.array(z.enum(bootReasons)),
  /** What changes when anything of it does: an inspection may wait while it is the same. */
  mark: words(100).nullable(),
  problem: SiteProblem.nullable(),
});
export type SiteFacts = z.infer<typeof SiteFacts>;

/** A site that lies on a server, known to nobody yet or to us already. */
export const DiscoveredSite = z.object({
  path: words(4_096),
  /** As it has it in its configuration or its database; null where that could not be read. */
  url: words(2_048).nullable(),
  title: words(300).nullable(),
  version: words(60).nullable(),
  owner: words(100).nullable(),
  is_multisite: z.boolean(),
  needs_boot: z.array(z.enum(bootReasons)),
});
export type DiscoveredSite = z.infer<typeof DiscoveredSite>;
