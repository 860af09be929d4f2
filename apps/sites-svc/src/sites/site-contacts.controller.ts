import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobKind } from '@vigie/contracts/jobs';
import { serversChanged } from '@vigie/contracts/servers';
import { visitSite } from '@vigie/contracts/site-checks';
import { inspectSite, readHttpStatus, readInventory, testSite, testSites, trustSiteKey } from '@vigie/contracts/sites';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { recordDoing } from '../activity/doings';
import { AskedLooks } from '../jobs/asked-looks';
import { isAdministrator } from '../owners/owners';
import { refuseUnshownKey } from '../servers/shown-keys';
import { findSite, findWhole, holdSite } from './find-site';
import { targetOf } from './grounds';
import { keepVisits } from './keep-visits';
import { siteAccess, type SiteWay, toSiteToRead, waysOf } from './site-access';
import { toSite } from './site-answers';
import { Site } from './site.entity';
import { testsOf } from './tests-of';

/** How long what a visitor saw is new enough. */
const newMs = 300_000;

/** What is asked of the sites themselves, by way of the agents. */
@Controller()
export class SiteContactsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly asked: AskedLooks,
  ) {}

  @Handles(testSite)
  async test(input: Input<typeof testSite>) {
    return this.asked.one(testSite, input, (manager) => orderOf(manager, input.id, 'sites.test'));
  }

  @Handles(inspectSite)
  async inspect(input: Input<typeof inspectSite>) {
    return this.asked.one(inspectSite, input, (manager) => orderOf(manager, input.id, 'sites.inspect'));
  }

  @Handles(testSites)
  async testAll(input: Input<typeof testSites>) {
    return this.asked.many(testSites, input, 'sites.test', (manager) => testsOf(manager, input.ids));
  }

  @Handles(readInventory)
  async inventory({ id }: Input<typeof readInventory>) {
    const { manager } = this.database;
    const { facts } = await findWhole(manager, id);
    const { plugins, themes, checks, wpCore, problem, read_at: at } = await toSite(manager, id);
    const core = { ...wpCore, locale: facts?.core.locale ?? null };
    return { core, plugins, themes, checks, depth: facts?.depth ?? null, problem, updated_at: at };
  }

  @Handles(readHttpStatus)
  async httpStatus({ id, fresh }: Input<typeof readHttpStatus>) {
    const { manager } = this.database;
    const site = await findSite(manager, id);
    if (fresh === '0' && site.http && Date.now() - Date.parse(site.http.checked_at) < newMs) return site.http;
    const allowsPrivate = await isAdministrator(manager, site.ownerId);
    const seen = await this.bus.call(visitSite, { url: site.url, allows_private: allowsPrivate });
    await keepVisits(manager, [{ id, url: site.url, seen }]);
    return seen;
  }

  /** What the host of a site shows whose way is not its server's. */
  @Handles(trustSiteKey)
  async trust({ id, fingerprint }: Input<typeof trustSiteKey>) {
    await this.database.transaction(async (manager) => {
      const way = await holdWay(manager, id);
      const access = siteAccess(way, false);
      if (access instanceof AppError || access.row.table === 'servers') {
        throw new AppError('conflict', 'Ce site passe par son serveur\u00a0: acceptez la clé dans l’écran du serveur.');
      }
      const { site } = way;
      const { hostKey: previous, shownKey, version } = site;
      if (previous === fingerprint) return;
      refuseUnshownKey(shownKey, fingerprint);
      const pin = { hostKey: fingerprint, shownKey: null, version: version + 1 };
      await manager.update(Site, { id }, { ...pin, sshError: null });
      await recordDoing(manager, { type: 'site_edit', site, details: { host_key: fingerprint, previous } });
    });
    this.bus.publish(serversChanged, { ids: [id] });
    return toSite(this.database.manager, id);
  }
}

async function orderOf(manager: EntityManager, id: string, kind: JobKind) {
  const way = await holdWay(manager, id);
  return { kind, on: targetOf(way), input: { site: toSiteToRead(way.site) } };
}

/** Held so that a batch of tests that is being made comes first: whoever tests one of its sites shares its job. */
async function holdWay(manager: EntityManager, id: string): Promise<SiteWay> {
  const [way] = await waysOf(manager, [await holdSite(manager, id)]);
  if (!way) throw new Error('one site has one way');
  return way;
}
