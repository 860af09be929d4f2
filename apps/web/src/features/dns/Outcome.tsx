import { Stack, Text } from '@mantine/core';
import type { BulkResult } from '@vigie/contracts/dns-changes';
import { Callout } from '../../ui/Callout';
import { Lines } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { resultStates } from './words';

type Props = {
  result: BulkResult;
  /** Names the change with this index in the request. */
  nameOf: (index: number) => string;
};

/** Lists the changes that were not made, each with its reason. */
export function Outcome({ result: { results, done, stopped, retry_after: retryAfter }, nameOf }: Props) {
  const remaining = results.filter(({ state }) => state !== 'done');
  return (
    <div role="alert">
      <Callout tone="warn">
        <p>
          {`${plural(done, 'changement enregistré', 'changements enregistrés')}, ${plural(remaining.length, 'reste', 'restent')} à faire.`}
        </p>
        {stopped !== null && <p>{stopped}</p>}
        {retryAfter !== null && <p>{`Réessayez dans ${plural(retryAfter, 'seconde', 'secondes')}.`}</p>}
      </Callout>
      <Lines aria-label="Ce qui n’a pas été fait">
        {remaining.map(({ index, state, message }) => (
          <Stack component="li" key={index} gap={2} py={8}>
            <code>{nameOf(index)}</code>
            <Text variant="note">{message ?? resultStates[state]}</Text>
          </Stack>
        ))}
      </Lines>
    </div>
  );
}
