/**
 * SQL for the times of a window `w` around a moment: its one time, or those of two days before to eight days after. The
 * database knows the clock changes of each zone: an hour that is skipped begins after it, and so many minutes stay as many.
 */
export const timesOf = (window: string, moment: string): string => `(
  select ${window}.starts_at as starts_at, ${window}.ends_at as ends_at where ${window}.starts_at is not null
  union all
  select o.at, o.at + make_interval(mins => ${window}.minutes)
  from generate_series(-2, 8) n
    cross join lateral (select (${moment} at time zone ${window}.time_zone)::date + n as day) d
    cross join lateral (select (d.day + ${window}.at) at time zone ${window}.time_zone as at) o
  where extract(isodow from d.day) = any(${window}.weekdays))`;

/** SQL for when the time of a window `w` that runs at this moment ends; null where none does. */
export const runningUntil = (window: string, moment: string): string =>
  `(select max(t.ends_at) from ${timesOf(window, moment)} t where t.starts_at <= ${moment} and t.ends_at > ${moment})`;
