import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addFleet } from '@vigie/testing/change-stage';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { openZone } from '@vigie/testing/dns';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy } from '@vigie/testing/fleet/machine';
import type { FleetSite } from '@vigie/testing/fleet/sites';
import type { Witness } from '@vigie/testing/fleet/witness';
import type { TestProduct } from '@vigie/testing/product';
import { sendArchive } from '@vigie/testing/uploads';
import { SmallDisk } from './disks';
import { TcpProxy } from './tcp-proxy';

const copies = 3;
const [hostMegabytes, storeMegabytes] = [700, 400];
const newPlugin = { slug: 'sonde', version: '1.4.0' };

export type RealSite = { id: string; site: FleetSite; witness: Witness };

/** The additions of a whole trial: real sites on their own host, and a zone at a fake Cloudflare. */
export class WholeStage {
  sites: readonly RealSite[] = [];
  serverId = '';
  zone = { id: '', name: '' };
  upload = { id: '', filename: '' };

  private constructor(
    readonly fleet: Fleet,
    readonly proxy: TcpProxy,
    readonly cloudflare: FakeCloudflare,
    readonly disks: { host: SmallDisk; store: SmallDisk },
  ) {}

  /** Starts everything below `folder`, which other users may enter. */
  static async open(folder: string): Promise<WholeStage> {
    const fleetFolder = join(folder, 'fleet');
    mkdirSync(fleetFolder, { mode: 0o711 });
    const disks = {
      host: SmallDisk.at(join(fleetFolder, 'ssh', `home-${deploy.name}`), hostMegabytes, deploy),
      store: SmallDisk.at(join(folder, 'store'), storeMegabytes),
    };
    const fleet = await Fleet.start({ kinds: ['plain'], copies, folder: fleetFolder });
    return new WholeStage(fleet, await TcpProxy.to(fleet.host.port), await FakeCloudflare.start(), disks);
  }

  get env(): Record<string, string> {
    return {
      VIGIE_STORE: pathToFileURL(this.disks.store.folder).href,
      VIGIE_WORDPRESS_API_URL: this.fleet.wordpressOrg.url,
      VIGIE_CLOUDFLARE_URL: this.cloudflare.url,
      VIGIE_DNS_LOOK_SECONDS: '0',
      VIGIE_SSH_ALLOW: '127.0.0.0/8',
      VIGIE_HTTP_ALLOW: '127.0.0.0/8',
    };
  }

  /** Registers the sites, the plugin and the zone with the product. */
  async register(product: TestProduct, token: string): Promise<void> {
    const { fleet, cloudflare } = this;
    const { serverId, ids } = await addFleet(fleet, product, token, this.proxy);
    this.serverId = serverId;
    this.sites = fleet.sites.map((site) => ({ id: ids.get(site.path) ?? '', site, witness: fleet.witness(site) }));
    for (const { id, site } of this.sites) {
      // The first visit makes WordPress add missing options.
      await fetch(site.url);
      const { status, text } = await product.request('GET', `/api/sites/${id}/inventory?fresh=1`, { token });
      if (status !== 200) throw new Error(`${site.name}: ${status} ${text}`);
    }
    const { slug, version } = newPlugin;
    const sent = await sendArchive(product, fleet.archive(slug, version), `${slug}.${version}.zip`, { token });
    this.upload = { id: String(sent.body['id']), filename: String(sent.body['filename']) };
    const { zoneId, name } = await openZone({ product, cloudflare, token });
    this.zone = { id: zoneId, name };
  }

  async close(): Promise<void> {
    this.proxy.close();
    await this.cloudflare.close();
    await this.fleet.close();
    this.disks.host.unmount();
    this.disks.store.unmount();
  }
}
