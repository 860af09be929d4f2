import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';
import { FakeParty } from '../fake-party';
import type { Golden } from './golden';
import { versions } from './extensions';

const Installed = z.looseObject({ Version: z.string() });
const PluginsCheck = z.strictObject({ plugins: z.record(z.string(), Installed), active: z.array(z.string()) });
const ThemesCheck = z.strictObject({ active: z.string(), themes: z.record(z.string(), Installed) });

export type Offer = {
  version: string;
  requires?: string;
  requiresPhp?: string;
  tested?: string;
  /** The offer has no archive, as without a licence. */
  isWithoutArchive?: boolean;
};
export type Failure = 'error' | 'silence' | 'nonsense' | 'cut';
type StartOptions = Pick<Golden, 'zips' | 'tree' | 'releases'> & { port?: number };
type OrgRequest = { method: string; path: string; query: URLSearchParams; agent: string; body: URLSearchParams };

/**
 * A fake of api.wordpress.org and downloads.wordpress.org at one address. It refuses unknown requests and records all
 * of them.
 */
export class WordPressOrg extends FakeParty {
  /** Offered plugins by slug, which tests may change. */
  readonly plugins = new Map<string, Offer>();
  readonly themes = new Map<string, Offer>();
  /** Plugins that a site is offered instead, by its address and their slug. */
  readonly pluginsOf = new Map<string, ReadonlyMap<string, Offer>>();
  /** The newest release; undefined offers none. */
  core: string | undefined;
  /** Slugs whose archives need a licence. */
  readonly licensed = new Set<string>();
  /** Faults of the next answers, in order. */
  readonly failures: Failure[] = [];
  readonly requests: (OrgRequest & { status: number })[] = [];

  private constructor(
    private readonly zips: string,
    private readonly tree: string,
  ) {
    super();
  }

  static start({ zips, tree, releases, port }: StartOptions): Promise<WordPressOrg> {
    const org = new WordPressOrg(zips, tree);
    for (const [kind, offers] of [
      ['plugin', org.plugins],
      ['theme', org.themes],
    ] as const)
      for (const [slug, { offered }] of Object.entries(versions))
        if (!slug.endsWith('-pro') && existsSync(join(zips, kind, `${slug}.${offered}.zip`)))
          offers.set(slug, { version: offered });
    org.core = releases.offered;
    return org.listen(port);
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any');
    const orgRequest: OrgRequest = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      agent: request.headers['user-agent'] ?? '',
      body: new URLSearchParams(await textOf(request)),
    };
    response.once('close', () =>
      this.requests.push({ ...orgRequest, status: response.headersSent ? response.statusCode : 0 }),
    );
    const failure = this.failures.shift();
    if (failure === undefined) return this.route(orgRequest, response);
    if (failure === 'error') response.writeHead(500).end('<h1>500</h1>');
    if (failure === 'nonsense') response.writeHead(200, { 'content-type': 'application/json' }).end('{"plugins":');
    if (failure === 'cut') response.destroy();
  }

  private route(request: OrgRequest, response: ServerResponse): void {
    // WordPress.org refuses clients whose user agent is not WordPress.
    if (!request.agent.startsWith('WordPress/')) return reply(response, 403, { error: 'not a WordPress' });
    switch (`${request.method} ${request.path}`) {
      case 'POST /plugins/update-check/1.1/':
        return this.checkPlugins(request, response);
      case 'POST /themes/update-check/1.1/':
        return this.checkThemes(request, response);
      case 'GET /core/version-check/1.7/':
      case 'POST /core/version-check/1.7/':
        return this.checkCore(request, response);
      case 'GET /core/checksums/1.0/':
        return reply(response, 200, { checksums: this.checksums(request.query.get('version')) });
      default:
        return this.send(request, response);
    }
  }

  private checkPlugins({ agent, body }: OrgRequest, response: ServerResponse): void {
    const request = PluginsCheck.safeParse(json(body.get('plugins')));
    if (!request.success) return reply(response, 400, { error: request.error.message });
    const answer = { plugins: {}, translations: [], no_update: {} } as Record<
      'plugins' | 'no_update',
      Record<string, object>
    >;
    const offersOfSite = this.pluginsOf.get(agent.replace(/^.*; |\/$/g, ''));
    for (const [file, { Version }] of Object.entries(request.data.plugins)) {
      const slug = file.replace(/\/.*|\.php$/g, '');
      const offer = offersOfSite?.get(slug) ?? this.plugins.get(slug);
      if (!offer) continue;
      const offers = isNewer(offer.version, Version) ? answer.plugins : answer.no_update;
      offers[file] = {
        id: `w.org/plugins/${slug}`,
        slug,
        plugin: file,
        new_version: offer.version,
        url: `https://wordpress.org/plugins/${slug}/`,
        package: packageOf('plugin', slug, offer),
        icons: {},
        banners: {},
        banners_rtl: {},
        requires: offer.requires ?? '5.0',
        tested: offer.tested ?? this.core ?? '6.1',
        requires_php: offer.requiresPhp ?? '7.4',
      };
    }
    reply(response, 200, answer);
  }

  private checkThemes({ body }: OrgRequest, response: ServerResponse): void {
    const request = ThemesCheck.safeParse(json(body.get('themes')));
    if (!request.success) return reply(response, 400, { error: request.error.message });
    const answer = { themes: {}, translations: [], no_update: {} } as Record<
      'themes' | 'no_update',
      Record<string, object>
    >;
    for (const [slug, { Version }] of Object.entries(request.data.themes)) {
      const offer = this.themes.get(slug);
      if (!offer) continue;
      const offers = isNewer(offer.version, Version) ? answer.themes : answer.no_update;
      offers[slug] = {
        theme: slug,
        new_version: offer.version,
        url: `https://wordpress.org/themes/${slug}/`,
        package: packageOf('theme', slug, offer),
        requires: offer.requires ?? '5.0',
        requires_php: offer.requiresPhp ?? '7.4',
      };
    }
    reply(response, 200, answer);
  }

  private checkCore({ query }: OrgRequest, response: ServerResponse): void {
    const version = query.get('version');
    if (!version || !query.get('php')) return reply(response, 400, { error: 'which version?' });
    const newest = this.core !== undefined && isNewer(this.core, version) ? this.core : version;
    const full = `https://downloads.wordpress.org/release/wordpress-${newest}.zip`;
    const offer = {
      response: newest === version ? 'latest' : 'upgrade',
      download: full,
      locale: 'en_US',
      packages: { full, no_content: false, new_bundled: false, partial: false, rollback: false },
      current: newest,
      version: newest,
      php_version: '5.6.20',
      mysql_version: '5.0',
      new_bundled: '6.1',
      partial_version: false,
    };
    reply(response, 200, { offers: [offer], translations: [] });
  }

  /** Checksums of the installed release only. */
  private checksums(version: string | null): Record<string, string> | false {
    const installedVersion = /\$wp_version = '([^']+)'/.exec(
      readFileSync(join(this.tree, 'wp-includes/version.php'), 'utf8'),
    )?.[1];
    if (version !== installedVersion) return false;
    const files = readdirSync(this.tree, { recursive: true, encoding: 'utf8' }).filter(
      (file) => !/^wp-content\/(plugins|themes|uploads)/.test(file) && statSync(join(this.tree, file)).isFile(),
    );
    const md5 = (file: string) =>
      createHash('md5')
        .update(readFileSync(join(this.tree, file)))
        .digest('hex');
    return Object.fromEntries(files.map((file) => [file, md5(file)]));
  }

  private send({ method, path }: OrgRequest, response: ServerResponse): void {
    const file = join(this.zips, path);
    const [isKnown, , slug = ''] = /^\/(plugin|theme|release)\/([a-z-]+)[\w.-]+\.zip$/.exec(path) ?? [];
    if (this.licensed.has(slug)) return reply(response, 403, { error: 'Your licence has expired.' });
    if (method !== 'GET' || !isKnown || !existsSync(file)) return reply(response, 404, { error: 'Not found.' });
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': statSync(file).size });
    createReadStream(file).pipe(response);
  }
}

const packageOf = (kind: 'plugin' | 'theme', slug: string, { version, isWithoutArchive }: Offer) =>
  isWithoutArchive ? '' : `https://downloads.wordpress.org/${kind}/${slug}.${version}.zip`;

/** Compares versions by their numbers, without suffixes. */
function isNewer(offered: string, installed: string): boolean {
  const [one, other] = [offered, installed].map((version) => version.split('.').map(Number));
  for (let part = 0; part < 4; part++) {
    const difference = (one?.[part] ?? 0) - (other?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function json(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
