import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isFinal, type JobItem, type JobState } from '@vigie/contracts/jobs';
import { waitForOutcome } from './answers';
import { Fleet } from './fleet/fleet';
import type { SiteKind } from './fleet/kinds';
import { contentOf, type FleetSite } from './fleet/sites';
import { addServer } from './hosts';
import { type Answer, TestProduct } from './product';
import { sendArchive } from './uploads';

type Options = { kinds?: readonly SiteKind[]; copies?: number; agents?: number };
export type EndedJob = JobItem & { result: unknown };

const pauseMs = 250;

/** The whole product with a fleet of real sites, imported and inspected. */
export class ChangeStage {
  private constructor(
    readonly fleet: Fleet,
    readonly product: TestProduct,
    readonly token: string,
    private readonly ids: ReadonlyMap<string, string>,
  ) {}

  static async start({ kinds = ['plain'], copies = 0, agents = 1 }: Options): Promise<ChangeStage> {
    const fleet = await Fleet.start({ kinds, copies });
    const apps = ['gateway', 'auth-svc', 'sites-svc', ...Array<'ssh-agent'>(agents).fill('ssh-agent')] as const;
    const product = await TestProduct.start(apps, { VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url });
    const token = await product.login();
    const stage = new ChangeStage(fleet, product, token, await importAll(fleet, product, token));
    await Promise.all(fleet.sites.map((site) => stage.refresh(site)));
    return stage;
  }

  async stop(): Promise<void> {
    await this.product.stop();
    await this.fleet.close();
  }

  idOf(site: FleetSite): string {
    return this.ids.get(site.path) ?? '';
  }

  ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.product.request(method, `/api${path}`, {
      token: this.token,
      headers,
      ...(body !== undefined && { body }),
    });
  }

  async refresh(site: FleetSite): Promise<void> {
    const answer = await this.ask('GET', `/sites/${this.idOf(site)}/inventory?fresh=1`);
    const { status, text } = await waitForOutcome(this.product, this.token, answer);
    if (status !== 200) throw new Error(`${site.name}: ${status} ${text}`);
  }

  /** Starts a job and returns its id. */
  async startJob(path: string, body: unknown): Promise<string> {
    const { status, body: ticket, text } = await this.ask('POST', path, body, { prefer: 'respond-async' });
    if (status !== 202) throw new Error(`${path}: ${status} ${text}`);
    return String(ticket['job_id']);
  }

  async change(site: FleetSite, verb: string, body: object = {}): Promise<EndedJob> {
    return this.waitForJob(await this.startJob(`/sites/${this.idOf(site)}/${verb}`, body));
  }

  target(site: FleetSite, item: `${'plugin' | 'theme' | 'core'}.${string}`) {
    const [kind, slug] = item.split('.');
    return { site_id: this.idOf(site), kind, slug };
  }

  async waitForJob(jobId: string): Promise<EndedJob> {
    for (;;) {
      const { status, body } = await this.ask('GET', `/jobs/${jobId}`);
      if (status === 200 && isFinal(body['state'] as JobState)) return body as EndedJob;
      await wait(pauseMs);
    }
  }

  async batchJobs(batch: string): Promise<JobItem[]> {
    await this.waitForJob(batch);
    return (await this.ask('GET', `/jobs?batch_id=${batch}&limit=200`)).body['items'] as JobItem[];
  }

  async upload(slug: string, version: string): Promise<string> {
    const archive = this.fleet.archive(slug, version);
    const { body, text } = await sendArchive(this.product, archive, `${slug}.${version}.zip`, { token: this.token });
    if (typeof body['id'] !== 'string') throw new Error(text);
    return body['id'];
  }
}

async function importAll(fleet: Fleet, product: TestProduct, token: string): Promise<Map<string, string>> {
  return (await addFleet(fleet, product, token)).ids;
}

/** Adds a fleet's server, at the given port, and its sites; returns the sites' ids by path. */
export async function addFleet(
  fleet: Fleet,
  product: TestProduct,
  token: string,
  { port }: { port: number } = fleet.host,
) {
  const { id: serverId } = await addServer(product, token, {
    name: 'parc',
    host: '127.0.0.1',
    port,
    user: 'deploy',
    auth: { privateKeyPem: fleet.host.privateKey },
  });
  const items = fleet.sites.map(({ path, name, url }) => ({ path, name, url }));
  const answer = await product.requestPatiently('POST', '/api/sites/import', {
    token,
    body: { server_id: serverId, items },
  });
  const imported = answer.body['items'] as { id: string; path: string }[];
  return { serverId, ids: new Map(imported.map(({ id, path }) => [path, id])) };
}

export async function visitPage(site: FleetSite, path = '/'): Promise<{ code: number; text: string }> {
  const response = await fetch(site.url + path);
  return { code: response.status, text: await response.text() };
}

/** Version of a plugin in its files. */
export function versionOf(site: FleetSite, slug: string): string | undefined {
  const file = join(contentOf(site), 'plugins', slug, `${slug}.php`);
  return existsSync(file) ? /Version: (\S+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
}

/** Lists temporary files that a change must not leave on a site. */
export function leftoversOn(site: FleetSite): string[] {
  const content = contentOf(site);
  const folders = ['upgrade', 'upgrade-temp-backup/plugins', 'upgrade-temp-backup/themes'];
  const inside = folders.flatMap((name) => {
    const folder = join(content, name);
    // WordPress keeps an index.php there against directory listings.
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file !== 'index.php') : [];
    return files.map((file) => join(name, file));
  });
  const plugins = readdirSync(join(content, 'plugins')).filter(
    (name) => /vigie|\.tmp|~$/i.test(name) || name.startsWith('.'),
  );
  return [...(existsSync(join(site.path, '.maintenance')) ? ['.maintenance'] : []), ...inside, ...plugins];
}
