import type { EntityManager } from 'typeorm';
import { lockSitesToTest } from './find-site';
import { siteTarget, toSiteToRead, connectionsOf } from './site-access';

export async function toSiteTests(manager: EntityManager, ids: readonly string[] | undefined) {
  const connections = await connectionsOf(manager, await lockSitesToTest(manager, ids));
  return connections.map((connection) => ({
    target: siteTarget(connection),
    input: { site: toSiteToRead(connection.site) },
  }));
}
