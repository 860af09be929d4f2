import { z } from 'zod';
import { timestamp } from './text';

/** Limits the length of texts from a host, which is not trusted. */
const limitedText = (max: number) => z.string().max(max);

const ExtensionType = z.enum(['plugin', 'theme']);

/** A slug is a theme's or plugin's folder, or a single-file plugin's name without `.php`. */
export const slugRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,190}$/;

/** A plugin or a theme of one site. */
export const Extension = z.object({
  type: ExtensionType,
  slug: z.string().regex(slugRule),
  /** A plugin's main file, as in WordPress; null for a theme. */
  file: limitedText(400).nullable(),
  name: limitedText(300),
  version: limitedText(60).nullable(),
  status: z.enum(['active', 'inactive']),
  /** `must_use` and `drop_in` plugins are never changed. Note that an `Item`'s `kind` is the `type` above. */
  kind: z.enum(['regular', 'must_use', 'drop_in']),
  is_network_active: z.boolean(),
  /** The parent of a child theme. */
  parent: limitedText(191).nullable(),
  hasUpdate: z.boolean(),
  new_version: limitedText(60).nullable(),
});
export type Extension = z.infer<typeof Extension>;

/** Time of the last *successful* check for updates, and the error of a later failed one. */
export const UpdateCheck = z.object({ checked_at: timestamp.nullable(), error: limitedText(500).nullable() });
export type UpdateCheck = z.infer<typeof UpdateCheck>;

/** Why a scan, which does not start WordPress, may differ from an inspection by WordPress itself. */
export const bootReasons = [
  'multisite',
  'object_cache',
  'computed_config',
  'database_unreachable',
  'unknown_drop_in',
  'unreadable',
] as const;

/** Why a site cannot start: where it stops, and whose code that is. */
export const SiteProblem = z.object({
  kind: z.enum(['fatal', 'ended_early', 'timeout', 'database', 'not_wordpress', 'no_php', 'unreadable']),
  message: limitedText(1_000),
  /** Relative to the site's folder if the file is below it. */
  file: limitedText(500).nullable(),
  line: z.int().nullable(),
  culprit: z
    .object({ type: z.enum(['plugin', 'theme', 'must_use', 'drop_in', 'core']), slug: limitedText(191) })
    .nullable(),
});
export type SiteProblem = z.infer<typeof SiteProblem>;

/** State of a site from one reading. `scan` reads files and tables; `inspect` asks WordPress itself. */
export const SiteState = z.object({
  depth: z.enum(['scan', 'inspect']),
  /** Start of the reading; later changes may be missing from it. */
  read_at: timestamp,
  /** End of an inspection, which may take long. */
  ended_at: timestamp.nullish(),
  core: z.object({
    version: limitedText(60).nullable(),
    locale: limitedText(20).nullable(),
    hasUpdate: z.boolean(),
    new_version: limitedText(60).nullable(),
  }),
  extensions: z.array(Extension).max(2_000),
  /** Files with unsafe names, which are shown and never changed. */
  unusable: z.array(limitedText(300)).max(50),
  checks: z.object({ core: UpdateCheck, plugins: UpdateCheck, themes: UpdateCheck }),
  php: z.object({ binary: limitedText(300), version: limitedText(30) }).nullable(),
  database: z.object({ kind: z.enum(['mysql', 'mariadb', 'sqlite', 'other']), version: limitedText(100) }).nullable(),
  /** WordPress's own `home` address. */
  home_url: limitedText(2_048).nullable(),
  content_dir: limitedText(4_096).nullable(),
  owner: limitedText(100).nullable(),
  is_multisite: z.boolean(),
  is_composer: z.boolean(),
  /** `DISALLOW_FILE_MODS` forbids installations and updates. */
  forbids_changes: z.boolean(),
  is_writable: z.boolean().nullable(),
  needs_boot: z.array(z.enum(bootReasons)),
  /** A digest of what was read; while it is unchanged, no new inspection is needed. */
  mark: limitedText(100).nullable(),
  problem: SiteProblem.nullable(),
});
export type SiteState = z.infer<typeof SiteState>;

export const DiscoveredSite = z.object({
  path: limitedText(4_096),
  /** The address in the site's configuration or database; null when unreadable. */
  url: limitedText(2_048).nullable(),
  title: limitedText(300).nullable(),
  version: limitedText(60).nullable(),
  owner: limitedText(100).nullable(),
  is_multisite: z.boolean(),
  needs_boot: z.array(z.enum(bootReasons)),
});
export type DiscoveredSite = z.infer<typeof DiscoveredSite>;
