import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  listMaintenanceWindows,
  type MaintenanceWindow,
  maxMaintenanceMs,
  tooLong,
  wouldBeOver,
} from '@vigie/contracts/maintenance-windows';
import { Handles } from '@vigie/service-kit/handles';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { lockName } from '@vigie/service-kit/locks';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordAuditEvent } from '../activity/audit-events';
import { findGroup, keepGroup } from '../groups/group.entity';
import { refuseUnknownZone } from '../known-zone';
import { callerName } from '../owners/caller-name';
import { withSharedRole } from '../owners/reach';
import { findSite, keepSite } from '../sites/find-site';
import { findWindows } from './find-windows';

type NewWindow = Input<typeof createMaintenanceWindow>;

const maxWindows = 50;

const unknownWindow = () => new AppError('not_found', 'Cette maintenance n’existe pas ou n’existe plus.');

/** When failed checks of sites are no incident. */
@Controller()
export class MaintenanceWindowsController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
  ) {}

  @Handles(listMaintenanceWindows)
  async list(filters: Input<typeof listMaintenanceWindows>): Promise<Output<typeof listMaintenanceWindows>> {
    const { manager } = this.database;
    if (filters.site_id !== undefined) await findSite(manager, filters.site_id);
    if (filters.group_id !== undefined) await findGroup(manager, filters.group_id);
    return findWindows(manager, filters);
  }

  @Handles(createMaintenanceWindow)
  async create(input: NewWindow): Promise<MaintenanceWindow> {
    const newId = uuid();
    const id = await this.database.transaction(async (manager) => {
      const target = await keepTarget(manager, input);
      const existingId = await this.idempotencyKeys.claim(manager, createMaintenanceWindow, input, newId);
      if (existingId !== undefined) return existingId;
      const { site_id: siteId = null, group_id: groupId = null, note = null } = input;
      const times = timesOf(input, new Date());
      if (times.time_zone) await refuseUnknownZone(manager, times.time_zone);
      await refuseMany(manager, input);
      await manager.query(
        `insert into maintenance_windows (id, site_id, group_id, starts_at, ends_at, weekdays, at, minutes, time_zone, note, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [newId, siteId, groupId, ...Object.values(times), note, callerName()],
      );
      await recordAuditEvent(manager, { ...target, details: { maintenance: 'create', ...times } });
      return newId;
    });
    return this.find(id);
  }

  @Handles(deleteMaintenanceWindow)
  async delete({ id }: Input<typeof deleteMaintenanceWindow>) {
    const window = await withSharedRole('viewer', () => this.find(id));
    const { site_id: siteId, group_id: groupId, starts_at: from, ends_at: until } = window;
    await this.database.transaction(async (manager) => {
      const target = await keepTarget(manager, { site_id: siteId, group_id: groupId });
      const [[deleted]]: [unknown[], number] = await manager.query(
        'delete from maintenance_windows where id = $1 returning id',
        [id],
      );
      if (!deleted) throw unknownWindow();
      await recordAuditEvent(manager, {
        ...target,
        details: { maintenance: 'delete', starts_at: from, ends_at: until },
      });
    });
    return {};
  }

  private async find(id: string): Promise<MaintenanceWindow> {
    const [window] = (await findWindows(this.database.manager, { id, limit: 1, offset: 0 })).items;
    if (!window) throw unknownWindow();
    return window;
  }
}

type Target = { site_id?: string | null | undefined; group_id?: string | null | undefined };

/** Keeps the site or group, which the caller may edit, until the transaction ends. */
async function keepTarget(manager: EntityManager, { site_id: siteId, group_id: groupId }: Target) {
  return siteId
    ? { type: 'site_edit' as const, site: await keepSite(manager, siteId) }
    : { type: 'group_edit' as const, group: await keepGroup(manager, groupId ?? '') };
}

/** Each failed visit reads all windows of its site. */
async function refuseMany(manager: EntityManager, { site_id: siteId, group_id: groupId }: NewWindow) {
  await lockName(manager, 'maintenance', siteId ?? groupId ?? '');
  const [planned]: { count: number }[] = await manager.query(
    `select count(*)::int from maintenance_windows w
     where (w.site_id = $1 or w.group_id = $2) and coalesce(w.ends_at > now(), true)`,
    [siteId ?? null, groupId ?? null],
  );
  if (planned && planned.count >= maxWindows)
    throw new AppError(
      'invalid',
      `${maxWindows}\u00a0maintenances sont déjà prévues ici\u00a0: supprimez-en d’abord une.`,
    );
}

/** The columns of the times, in their order. */
function timesOf({ starts_at: from, ends_at: until, weekdays, at, minutes, time_zone: zone }: NewWindow, now: Date) {
  if (until === undefined) {
    const weekly = { weekdays, at, minutes, time_zone: zone ?? 'Europe/Paris' };
    return { starts_at: null, ends_at: null, ...weekly };
  }
  if (Date.parse(until) <= now.getTime()) throw new AppError('invalid', wouldBeOver);
  const startsAt = from ?? now.toISOString();
  if (Date.parse(until) - Date.parse(startsAt) > maxMaintenanceMs) throw new AppError('invalid', tooLong);
  return { starts_at: startsAt, ends_at: until, weekdays: null, at: null, minutes: null, time_zone: null };
}
