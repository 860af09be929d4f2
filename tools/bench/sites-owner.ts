import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '@vigie/testing/fleet/fleet';
import { logIn, requestAs } from './product';
import { setStage } from './stage';
import type { Workbench } from './workbench';

export type UpdatedItem = { kind: 'plugin' | 'theme'; slug: string };
type Json = Record<string, unknown>;

/** Sends the API requests of the owner of the sites. */
export class SitesOwner {
  /** Updates that the last batch counts as succeeded. */
  succeeded = 0;

  private constructor(
    private readonly send: ReturnType<typeof requestAs>,
    private readonly ids: readonly string[] = [],
  ) {}

  /** Starts a product whose only visits to the sites are those that it is asked for. */
  static async create(bench: Workbench, fleet: Fleet, more: NodeJS.ProcessEnv = {}): Promise<SitesOwner> {
    const quiet = ['HEALTH', 'SCAN', 'VISIT', 'INSPECT'].map((name) => [`VIGIE_${name}_SECONDS`, '0']);
    const env = { VIGIE_WORDPRESS_API_URL: fleet.wordpressOrg.url, ...Object.fromEntries(quiet), ...more };
    const { product } = await setStage(bench, env);
    const owner = new SitesOwner(requestAs(product.address, await logIn(product.address)));
    const auth = { privateKeyPem: fleet.host.privateKey };
    const form = { name: 'parc', host: '127.0.0.1', port: fleet.host.port, user: 'deploy', auth };
    const server = await owner.request('POST', 'servers', form);
    const items = fleet.sites.map(({ path, name, url }) => ({ path, name, url }));
    const imported = await owner.request('POST', 'sites/import', { server_id: server['id'], items });
    return new SitesOwner(
      owner.send,
      (imported['items'] as Json[]).map(({ id }) => String(id)),
    );
  }

  async refreshAll(): Promise<void> {
    for (const id of this.ids) await this.request('GET', `sites/${id}/inventory?fresh=1`);
  }

  async updateAll(items: readonly UpdatedItem[]): Promise<void> {
    const targets = this.ids.flatMap((id) => items.map((item) => ({ site_id: id, ...item })));
    const { job_id: id } = await this.request('POST', 'updates', { targets });
    for (;;) {
      const { state, counts } = await this.request('GET', `jobs/${String(id)}`);
      if (state !== 'queued' && state !== 'running') {
        this.succeeded = Number((counts as Json)['succeeded']);
        if (state !== 'succeeded') await this.explain(String(id));
        return;
      }
      await wait(100);
    }
  }

  /** Throws why the first update of a batch failed. */
  private async explain(id: string): Promise<never> {
    const { items } = await this.request('GET', `jobs?batch_id=${id}&limit=1`);
    const [{ about, error } = {}] = items as Json[];
    throw new Error(`${String(about)}: ${JSON.stringify(error)}`);
  }

  private async request(method: string, path: string, body?: object): Promise<Json> {
    return JSON.parse(await this.send(method, path, body)) as Json;
  }
}
