import type { Log } from '@vigie/service-kit/log';
import { Retention } from '@vigie/service-kit/retention';
import type { DataSource } from 'typeorm';
import { retentionDays } from '../history/snapshots';

const everyMs = 10 * 60_000;
/** Each snapshot holds a whole zone. */
const perPass = 500;

/** A zone keeps its last snapshot as long as it exists: the next check compares with it. */
const deleteSnapshots = `delete from snapshots where id in (
  select o.id from snapshots o where o.at < now() - make_interval(days => ${retentionDays})
    and (not exists (select from zones z where z.config_id = o.config_id and z.id = o.zone_id)
      or exists (select from snapshots n where n.config_id = o.config_id and n.zone_id = o.zone_id and n.id > o.id))
  order by o.at limit ${perPass})`;

/** These rows have expired; deleting them only keeps the tables small. */
const deletions = [
  "delete from creation_keys where at < now() - interval '24 hours'",
  "delete from outbox where at < now() - interval '30 days'",
  "delete from gone where at < now() - interval '30 days'",
  "delete from zone_turns where until < now() - interval '1 day'",
  deleteSnapshots,
];

export const makeRetention = (database: DataSource, log: Log) =>
  new Retention(
    log,
    everyMs,
    deletions.map((statement) => () => database.query(statement)),
  );
