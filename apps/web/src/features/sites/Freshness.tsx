import { Text } from '@mantine/core';
import type { Site } from '@vigie/contracts/sites';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { isStale, lastSearch, spellReading } from './freshness';

const minuteMs = 60_000;

const Age = ({ at, now }: { at: string; now: Date }) => (
  <Text span c={isStale(at, now) ? 'warn' : 'muted'}>
    <TimeAgo at={at} />
    {isStale(at, now) && ', à actualiser'}
  </Text>
);

/** How old everything on the page of a site is, in one line. */
export function Freshness({ site: { facts: state, problem, read_at: readAt, checks } }: { site: Site }) {
  const now = useNow(minuteMs);
  if (!state || readAt === null || !checks) return <Text variant="note">Pas encore lu</Text>;
  const { at, error } = lastSearch(checks);
  return (
    <>
      <Text variant="note">
        {`${spellReading({ depth: state.depth, problem })} `}
        <Age at={readAt} now={now} />
        {' · mises à jour '}
        {at === null ? 'jamais cherchées' : 'cherchées '}
        {at !== null && <Age at={at} now={now} />}
      </Text>
      {/* A site that does not start says so itself. */}
      {error !== undefined && !problem && (
        <Text variant="note" c="warn">{`La dernière recherche de mises à jour a échoué\u00a0: ${error}`}</Text>
      )}
    </>
  );
}
