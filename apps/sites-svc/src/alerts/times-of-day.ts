/**
 * SQL for the next moment at which clocks of a zone show this time: once in the night when an hour comes twice, and an hour
 * later in the night when it is skipped.
 */
export function nextTimeOfDay(time: string, zone: string, now = 'now()'): string {
  const day = `(${now} at time zone ${zone})::date`;
  const at = (date: string) => `((${date} + ${time}::time) at time zone ${zone})`;
  return `case when ${at(day)} > ${now} then ${at(day)} else ${at(`${day} + 1`)} end`;
}

/** SQL condition: clocks of the channel's zone show one of its quiet hours, which may last beyond midnight. */
export function isQuiet(channel: string, now = 'now()'): string {
  const time = `(${now} at time zone ${channel}.time_zone)::time`;
  const [from, to] = [`${channel}.quiet_from`, `${channel}.quiet_to`];
  return `coalesce(case when ${from} < ${to} then ${time} >= ${from} and ${time} < ${to}
    else ${time} >= ${from} or ${time} < ${to} end, false)`;
}
