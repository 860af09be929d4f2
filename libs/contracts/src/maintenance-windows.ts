import { z } from 'zod';
import { contract } from './contract';
import { id, offset, optionalLine, timestamp } from './text';
import { timeOfDay, timeZone } from './times-of-day';

/** A time in which failed checks of a site, or of the sites of a group and below, are no incident: once, or each week. */
export const MaintenanceWindow = z.object({
  id,
  /** Exactly one of both is set, but neither where it is of a group above that the caller does not see. */
  site_id: id.nullable(),
  group_id: id.nullable(),
  /** The name of the site or group; null where the caller does not see it. */
  target_name: z.string().nullable(),
  /** Of one that happens once. */
  starts_at: timestamp.nullable(),
  ends_at: timestamp.nullable(),
  /** Of one that happens each week: from Monday, 1, to Sunday, 7, from this time of day for so many minutes. */
  weekdays: z.array(z.int().min(1).max(7)).nullable(),
  at: timeOfDay.nullable(),
  minutes: z.int().nullable(),
  time_zone: z.string().nullable(),
  /** Why, and who decided it; null where the caller does not see for what it is. */
  note: z.string().nullable(),
  created_by: z.string().nullable(),
  created_at: timestamp,
  /** When it ends, if it runs now. */
  running_until: timestamp.nullable(),
  /** When it begins next; null where it is the last time. */
  next_at: timestamp.nullable(),
  can_delete: z.boolean(),
});
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>;

/** Lists those that are not over. Those of one site or group include the ones of the groups above. */
export const listMaintenanceWindows = contract('sites.maintenance-windows.list', {
  http: 'GET /api/maintenance-windows',
  access: 'user',
  scope: 'read',
  grantRole: 'viewer',
  reads: ['maintenance', 'sites', 'groups'],
  input: z.object({
    site_id: id.optional(),
    group_id: id.optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    offset,
  }),
  output: z.object({ items: z.array(MaintenanceWindow), total: z.int() }),
});

export const maxMaintenanceNote = 200;
const maxDays = 30;
const dayMs = 86_400_000;
export const maxMaintenanceMs = maxDays * dayMs;

export const noWeekday = 'Choisissez au moins un jour de la semaine.';
export const endsTooEarly = 'La maintenance doit finir après son début.';
export const wouldBeOver = 'Cette maintenance serait déjà finie.';
export const tooLong = `Une maintenance dure ${maxDays}\u00a0jours au plus.`;

const Times = z.object({
  /** Now, where it is absent. */
  starts_at: timestamp.optional(),
  ends_at: timestamp.optional(),
  weekdays: z
    .array(z.int().min(1).max(7))
    .min(1, noWeekday)
    .max(7)
    .transform((days) => [...new Set(days)].toSorted((one, other) => one - other))
    .optional(),
  at: timeOfDay.optional(),
  minutes: z
    .int()
    .min(1, 'Une maintenance dure au moins une minute.')
    .max(1_440, 'Une maintenance de chaque semaine dure un jour au plus.')
    .optional(),
  time_zone: timeZone.optional(),
});
type Times = z.output<typeof Times>;

function timesRefusal({ starts_at: from, ends_at: until, ...weekly }: Times): string | undefined {
  const isOnce = from !== undefined || until !== undefined;
  const isWeekly = Object.values(weekly).some((value) => value !== undefined);
  if (isOnce === isWeekly) return 'Donnez un début et une fin, ou les jours de la semaine, l’un des deux.';
  if (!isOnce) {
    const { weekdays, at, minutes } = weekly;
    const isWhole = weekdays !== undefined && at !== undefined && minutes !== undefined;
    return isWhole ? undefined : 'Donnez les jours, l’heure et la durée de la maintenance.';
  }
  if (until === undefined) return 'Donnez la fin de la maintenance.';
  const ms = from === undefined ? 1 : Date.parse(until) - Date.parse(from);
  if (ms <= 0) return endsTooEarly;
  return ms > maxMaintenanceMs ? tooLong : undefined;
}

export const CreateMaintenanceWindow = Times.extend({
  site_id: id.optional(),
  group_id: id.optional(),
  note: optionalLine(maxMaintenanceNote).nullish(),
}).superRefine((window, context) => {
  const { site_id: siteId, group_id: groupId, note: _, ...times } = window;
  const message =
    (siteId === undefined) === (groupId === undefined)
      ? 'Choisissez un site ou un groupe, l’un des deux.'
      : timesRefusal(times);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});
export type CreateMaintenanceWindow = z.input<typeof CreateMaintenanceWindow>;

export const createMaintenanceWindow = contract('sites.maintenance-windows.create', {
  http: 'POST /api/maintenance-windows',
  access: 'user',
  scope: 'run',
  grantRole: 'manager',
  status: 201,
  changes: ['maintenance', 'activity'],
  input: CreateMaintenanceWindow,
  output: MaintenanceWindow,
});

/** Ends it at once, and for all weeks to come. */
export const deleteMaintenanceWindow = contract('sites.maintenance-windows.delete', {
  http: 'DELETE /api/maintenance-windows/:id',
  access: 'user',
  scope: 'run',
  grantRole: 'manager',
  changes: ['maintenance', 'activity'],
  input: z.object({ id }),
  output: z.object({}),
});
