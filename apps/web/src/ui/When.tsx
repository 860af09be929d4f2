import { spellAgo, spellDate, spellSecondsAgo } from './dates';
import { useNow } from './useNow';

const everyMs = 30_000;
const oftenMs = 5_000;

/** How long ago, with the date itself for whoever asks; `often` for what is looked at every minute. */
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
