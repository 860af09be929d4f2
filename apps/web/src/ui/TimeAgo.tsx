import { formatAge, formatAgo, formatDate, formatSecondsAgo } from './dates';
import { useNow } from './useNow';

const refreshMs = 30_000;
const frequentRefreshMs = 5_000;

/** "il y a 3 min", with the date as a tooltip; `often` counts seconds, for data that are refreshed every minute. */
export function TimeAgo({ at, often = false }: { at: string; often?: boolean }) {
  const now = useNow(often ? frequentRefreshMs : refreshMs);
  const date = new Date(at);
  const format = often ? formatSecondsAgo : formatAgo;
  return (
    <time dateTime={at} title={formatDate(date)}>
      {format(date, now)}
    </time>
  );
}

/** "depuis 16 min", with the date as a tooltip. */
export function Since({ at }: { at: string }) {
  const now = useNow(refreshMs);
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatDate(date)}>
      {`depuis ${formatAge(date, now)}`}
    </time>
  );
}
