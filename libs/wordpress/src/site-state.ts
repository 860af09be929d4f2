import { bootReasons, type Extension, type SiteState, slugRule } from '@vigie/contracts/inventory';
import { z } from 'zod';
import { cleanText, isClean } from './clean';

const text = z.string().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);

const RawExtension = z.object({
  type: z.enum(['plugin', 'theme']),
  kind: z.enum(['regular', 'must_use', 'drop_in']),
  file: z.string(),
  name: text,
  version: text,
  parent: text,
  active: flag,
  network: flag,
  offer: text,
});
type RawExtension = z.infer<typeof RawExtension>;

/** What our PHP programs report about a site. A hostile host may send anything. */
export const RawSite = z.object({
  php: text,
  core: z.object({ version: text, locale: text, offer: text }),
  extensions: z.array(z.unknown()).max(3_000),
  checks: z.object({ core: text, plugins: text, themes: text }).nullish().catch(null),
  database: z
    .object({ kind: z.enum(['mysql', 'mariadb', 'sqlite']), version: text })
    .nullish()
    .catch(null),
  home: text,
  title: text,
  content_dir: text,
  owner: text,
  multisite: flag,
  composer: flag,
  forbids: flag,
  writable: flag,
  needs_boot: z.array(z.string()).max(20).catch([]),
  mark: text,
});
export type RawSite = z.infer<typeof RawSite>;

type StateSource = { depth: SiteState['depth']; binary: string | null };

const maxUnusable = 50;
/** A job result may take 256 kB; the rest is for problems, checks and steps. */
const maxBytes = 190_000;
/** Bytes that a slug takes in the list of unusable items. */
const slugBytes = 195;

const short = (value: string | null | undefined, limit: number) => (value ? cleanText(value, limit) || null : null);

export function toSiteState(raw: RawSite, { depth, binary }: StateSource): SiteState {
  const at = new Date().toISOString();
  const { extensions, unusable } = sortExtensions(raw.extensions);
  const offer = short(raw.core.offer, 60);
  return limitSize({
    depth,
    read_at: at,
    core: {
      version: short(raw.core.version, 60),
      locale: short(raw.core.locale, 20),
      hasUpdate: offer !== null,
      new_version: offer,
    },
    extensions,
    unusable,
    checks: checksOf(raw.checks, at),
    php: binary === null ? null : { binary, version: short(raw.php, 30) ?? '' },
    database: raw.database ? { kind: raw.database.kind, version: short(raw.database.version, 100) ?? '' } : null,
    home_url: webAddress(raw.home),
    content_dir: short(raw.content_dir, 4_096),
    owner: short(raw.owner, 100),
    is_multisite: raw.multisite ?? false,
    is_composer: raw.composer ?? false,
    forbids_changes: raw.forbids ?? false,
    is_writable: raw.writable ?? null,
    needs_boot: bootReasons.filter((reason) => raw.needs_boot.includes(reason)),
    mark: short(raw.mark, 100),
    problem: null,
  });
}

export const unchecked = {
  core: { checked_at: null, error: null },
  plugins: { checked_at: null, error: null },
  themes: { checked_at: null, error: null },
};

/** A null in `errors` is a successful check; without `errors`, nothing was checked. */
function checksOf(errors: RawSite['checks'], at: string): SiteState['checks'] {
  if (!errors) return unchecked;
  const check = (error: string | null | undefined) =>
    error ? { checked_at: null, error: cleanText(error, 500) } : { checked_at: at, error: null };
  return { core: check(errors.core), plugins: check(errors.plugins), themes: check(errors.themes) };
}

/** Accepts only http(s) addresses, which a browser may safely open. */
export function webAddress(address: string | null | undefined): string | null {
  const plain = short(address, 2_048);
  return plain !== null && /^https?:\/\/[^\s"'<>\\]+$/i.test(plain) && URL.canParse(plain) ? plain : null;
}

function sortExtensions(items: readonly unknown[]): Pick<SiteState, 'extensions' | 'unusable'> {
  const extensions: Extension[] = [];
  const unusable: string[] = [];
  for (const item of items) {
    const raw = RawExtension.safeParse(item);
    if (!raw.success) continue;
    const extension = extensionOf(raw.data);
    if (extension) extensions.push(extension);
    else unusable.push(cleanText(raw.data.file, 300) || '?');
  }
  return { extensions, unusable: unusable.slice(0, maxUnusable) };
}

function extensionOf(raw: RawExtension): Extension | undefined {
  const slug = slugOf(raw);
  const isUsable = slugRule.test(slug) && isClean(raw.file) && raw.file.length <= 400 && !raw.file.includes('..');
  if (!isUsable) return undefined;
  const offer = raw.kind === 'regular' ? short(raw.offer, 60) : null;
  const parent = short(raw.parent, 191);
  return {
    type: raw.type,
    slug,
    file: raw.type === 'plugin' ? raw.file : null,
    name: short(raw.name, 300) ?? slug,
    version: short(raw.version, 60),
    status: raw.active ? 'active' : 'inactive',
    kind: raw.kind,
    is_network_active: raw.network ?? false,
    parent: raw.type === 'theme' && parent !== null && parent !== slug ? parent : null,
    hasUpdate: offer !== null,
    new_version: offer,
  };
}

/** A plugin's slug is its folder, or its file without `.php`; a theme's slug is its folder. */
function slugOf({ type: kind, kind: pluginKind, file }: RawExtension): string {
  if (kind === 'theme') return file;
  const [folder = '', ...rest] = file.split('/');
  if (rest.length === 0) return folder.replace(/\.php$/, '');
  return pluginKind === 'regular' && rest.length === 1 ? folder : '';
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1;

function limitSize(state: SiteState): SiteState {
  if (bytesOf(state) <= maxBytes) return state;
  let size = bytesOf({ ...state, extensions: [] }) + (maxUnusable - state.unusable.length) * slugBytes;
  const limit = state.extensions.findIndex((extension) => (size += bytesOf(extension)) > maxBytes);
  const dropped = state.extensions.slice(limit).map(({ slug }) => slug);
  return {
    ...state,
    extensions: state.extensions.slice(0, limit),
    unusable: [...state.unusable, ...dropped].slice(0, maxUnusable),
  };
}
