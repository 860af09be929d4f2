import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { splitIds } from '@vigie/contracts/servers';
import { type BeatState, readHeartbeats, readUptime, type Uptime } from '@vigie/contracts/uptime';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource } from 'typeorm';
import { findDomain } from '../domains/find-domain';
import { findSite, reachedSites } from '../sites/find-site';
import { findMaintenanceEnd } from '../maintenance-windows/running-windows';
import { findVisitSeconds } from '../sweeps/visit-intervals';
import { findAddresses } from './find-addresses';
import { findDayUptimes, findPoints, findUptimes } from './find-uptime';
import { findLastSamples, stateOf } from '../visit-history/samples';

/** How reachable sites were. */
@Controller()
export class UptimeController {
  constructor(private readonly database: DataSource) {}

  @Handles(readUptime)
  async read({ id, days }: Input<typeof readUptime>): Promise<Uptime> {
    const { manager } = this.database;
    await findSite(manager, id);
    const { since, ...uptime } = await findUptimes(manager, id);
    const samples = await findLastSamples(manager, [id]);
    return {
      since: (since ?? samples[0]?.at)?.toISOString() ?? null,
      uptime,
      ...(await findPoints(manager, id, Number(days))),
      beats: samples.map(({ at, state, code, ms }) => ({ at: at.toISOString(), state: stateOf(state), code, ms })),
      interval_seconds: await findVisitSeconds(manager, id),
      maintenance_until: (await findMaintenanceEnd(manager, id))?.toISOString() ?? null,
      domain: await findDomain(manager, id),
      addresses: await findAddresses(manager, id),
    };
  }

  @Handles(readHeartbeats)
  async heartbeats({ ids: text }: Input<typeof readHeartbeats>): Promise<Output<typeof readHeartbeats>> {
    const { manager } = this.database;
    const sites = await reachedSites(manager)
      .select('s.id')
      .andWhere('s.id = any(cast(:ids as uuid[]))', { ids: splitIds(text) })
      .getMany();
    const ids = sites.map(({ id }) => id);
    const uptimes = await findDayUptimes(manager, ids);
    const beats = new Map(ids.map((id) => [id, [] as BeatState[]]));
    for (const sample of await findLastSamples(manager, ids)) beats.get(sample.site_id)?.push(stateOf(sample.state));
    return {
      items: ids.map((id) => ({ id, beats: beats.get(id) ?? [], uptime_day: uptimes.get(id) ?? null })),
    };
  }
}
