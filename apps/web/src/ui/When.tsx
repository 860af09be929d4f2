import { spellAgo, spellDate, spellSecondsAgo } from './dates';
import { useNow } from './useNow';

const everyMs = 30_000;
const oftenMs = 5_000;

/** "il y a 3 min", with the date as a tooltip; `often` counts seconds, for data that are refreshed every minute. */
export function When({ at, often = false }: { at: string; often?: boolean }) {
  const now = useNow(often ? oftenMs : everyMs);
  const date = new Date(at);
  const spell = often ? spellSecondsAgo : spellAgo;
  return (
    <time dateTime={at} title={spellDate(date)}>
      {spell(date, now)}
    </time>
  );
}
