import { Button, Group } from '@mantine/core';
import type { Drift } from '@vigie/contracts/dns-records';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { TimeAgo } from '../../ui/TimeAgo';
import { historyApi } from './records.api';
import type { Change } from './search';
import { spellCounts } from './words';

type Props = { zoneId: string; drift: Drift; show: Change };

/** Reports changes made outside Vigie, until a user accepts them. */
export function DriftNote({ zoneId, drift, show }: Props) {
  const [accept, { isLoading, error }] = historyApi.useAcceptDriftMutation();
  return (
    <Callout tone="warn">
      <p>
        {'Cette zone a été modifiée hors de Vigie (constaté '}
        <TimeAgo at={drift.at} />
        {`). Enregistrements\u00a0: ${spellCounts(drift)}.`}
      </p>
      <Failure sentence={sentenceOf(error)} />
      <Group gap={8} mt={8}>
        <Button
          variant="default"
          onClick={() => show({ side: 'history', snapshot: drift.snapshot_id }, { isStep: true })}
        >
          Voir les changements
        </Button>
        <Button
          variant="default"
          loading={isLoading}
          onClick={() => void accept({ zone_id: zoneId, snapshot_id: drift.snapshot_id })}
        >
          Ne plus signaler
        </Button>
      </Group>
    </Callout>
  );
}
