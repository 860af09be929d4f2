import { useEffect, useState } from 'react';
import { spellAgo, spellDate } from './dates';

const everyMs = 30_000;

function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How long ago, with the date itself for whoever asks. */
export function When({ at }: { at: string }) {
  const date = new Date(at);
  const now = useNow();
  return (
    <time dateTime={at} title={spellDate(date)}>
      {spellAgo(date, now)}
    </time>
  );
}
