/** SQL for the next moment after now at which clocks of a zone show this time. A skipped hour counts as the one after it. */
export function nextTimeOfDay(time: string, zone: string): string {
  const day = `(now() at time zone ${zone})::date`;
  const at = (date: string) => `((${date} + ${time}::time) at time zone ${zone})`;
  // Yesterday's may still come: while clocks go back, its zone's day is the same.
  return `case when ${at(day)} > now() then ${at(day)} else ${at(`${day} + 1`)} end`;
}

/** SQL condition: clocks of the channel's zone show one of its quiet hours, which may last beyond midnight. */
export function isQuiet(channel: string): string {
  const time = `(now() at time zone ${channel}.time_zone)::time`;
  const [from, to] = [`${channel}.quiet_from`, `${channel}.quiet_to`];
  return `coalesce(case when ${from} < ${to} then ${time} >= ${from} and ${time} < ${to}
    else ${time} >= ${from} or ${time} < ${to} end, false)`;
}
