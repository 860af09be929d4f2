import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobKind } from '@vigie/contracts/jobs';
import { serversChanged } from '@vigie/contracts/servers';
import { visitSite } from '@vigie/contracts/site-checks';
import { inspectSite, readInventory } from '@vigie/contracts/site-inventory';
import { readHttpStatus, testSite, testSites, trustSiteKey } from '@vigie/contracts/sites';
import { Bus } from '@vigie/service-kit/bus';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAuditEvent } from '../activity/audit-events';
import { RequestedJobs } from '../queue/requested-jobs';
import { isAdministrator } from '../owners/owners';
import { refuseUnshownKey } from '../servers/shown-keys';
import { findSite, lockSite } from './find-site';
import { requireJobTarget } from './site-contexts';
import { saveVisits } from './save-visits';
import { siteAccess, type SiteConnection, toSiteToRead, connectionsOf } from './site-access';
import { toSite } from './site-responses';
import { Site } from './site.entity';
import { toSiteTests } from './site-tests';

const freshMs = 300_000;

/** Requests that agents carry out on the sites themselves. */
@Controller()
export class SiteContactsController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
    private readonly jobs: RequestedJobs,
  ) {}

  @Handles(testSite)
  async test(input: Input<typeof testSite>) {
    return this.jobs.createCheck(testSite, input, (manager) => toCheck(manager, input.id, 'sites.test'));
  }

  @Handles(inspectSite)
  async inspect(input: Input<typeof inspectSite>) {
    return this.jobs.createCheck(inspectSite, input, (manager) => toCheck(manager, input.id, 'sites.inspect'));
  }

  @Handles(testSites)
  async testAll(input: Input<typeof testSites>) {
    return this.jobs.createChecks(testSites, input, 'sites.test', (manager) => toSiteTests(manager, input.ids));
  }

  @Handles(readInventory)
  async inventory({ id }: Input<typeof readInventory>) {
    const { plugins, themes, checks, wpCore, problem, facts, read_at: at } = await toSite(this.database.manager, id);
    const core = { ...wpCore, locale: facts?.core.locale ?? null };
    return { core, plugins, themes, checks, depth: facts?.depth ?? null, problem, updated_at: at };
  }

  @Handles(readHttpStatus)
  async httpStatus({ id, fresh }: Input<typeof readHttpStatus>) {
    const { manager } = this.database;
    const site = await findSite(manager, id);
    if (fresh === '0' && site.http && Date.now() - Date.parse(site.http.checked_at) < freshMs) return site.http;
    const allowsPrivate = await isAdministrator(manager, site.ownerId);
    const status = await this.bus.call(visitSite, { url: site.url, allows_private: allowsPrivate });
    await saveVisits(manager, [{ id, url: site.url, seen: status }]);
    return status;
  }

  @Handles(trustSiteKey)
  async trust({ id, fingerprint }: Input<typeof trustSiteKey>) {
    await this.database.transaction(async (manager) => {
      const connection = await lockSiteConnection(manager, id);
      const access = siteAccess(connection, false);
      if (access instanceof AppError || access.row.table === 'servers') {
        throw new AppError('conflict', 'Ce site passe par son serveur\u00a0: acceptez la clé dans l’écran du serveur.');
      }
      const { site } = connection;
      const { hostKey: previous, shownKey, version } = site;
      if (previous === fingerprint) return;
      refuseUnshownKey(shownKey, fingerprint);
      const pin = { hostKey: fingerprint, shownKey: null, version: version + 1 };
      await manager.update(Site, { id }, { ...pin, sshError: null });
      await recordAuditEvent(manager, { type: 'site_edit', site, details: { host_key: fingerprint, previous } });
    });
    this.bus.publish(serversChanged, { ids: [id] });
    return toSite(this.database.manager, id);
  }
}

async function toCheck(manager: EntityManager, id: string, kind: JobKind) {
  const connection = await lockSiteConnection(manager, id);
  return { kind, target: requireJobTarget(connection), input: { site: toSiteToRead(connection.site) } };
}

/** Locks the site's row, so that a test requested while a batch is created waits and finds the batch's job. */
async function lockSiteConnection(manager: EntityManager, id: string): Promise<SiteConnection> {
  const [connection] = await connectionsOf(manager, [await lockSite(manager, id)]);
  if (!connection) throw new Error('one site has one connection');
  return connection;
}
