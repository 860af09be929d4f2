import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PluginsRead } from '@vigie/contracts/plugins';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import { TimeAgo } from '../../ui/TimeAgo';
import toolbar from '../../ui/Toolbar.module.css';
import type { Change, PluginsSearch } from './search';
import { useRetryFailures } from './useActions';
import { spellDiagnosis } from './words';

export const ScanAge = ({ read: { diag, updated_at: at, refreshing } }: { read: PluginsRead }) => (
  <span>
    {' · '}
    {spellDiagnosis(diag)}
    {at !== null && (
      <>
        {', le dernier '}
        <TimeAgo at={at} often />
      </>
    )}
    {refreshing && ' · Relecture en cours…'}
  </span>
);

type Props = { read: PluginsRead; search: PluginsSearch; onChange: Change };

/** The sites whose last scan failed. */
export function ScanFailures({ read: { diag }, search, onChange }: Props) {
  const { isBusy, failure, run } = useRetryFailures(search.group);
  const { sites_failed: failed, failures } = diag;
  if (failed === 0) return null;
  return (
    <Callout tone="warn">
      <p>
        {`${plural(failed, 'site n’a pas pu être lu\u00a0: ses', 'sites n’ont pas pu être lus\u00a0: leurs')} plugins ont peut-être changé depuis.`}
      </p>
      <Group gap={8} mt={8} className={toolbar['actions'] ?? ''}>
        <Button
          variant="default"
          aria-expanded={search.failures === true}
          onClick={() => onChange({ failures: search.failures ? undefined : true })}
        >
          {search.failures ? 'Masquer les échecs' : 'Voir les échecs'}
        </Button>
        <Button variant="default" loading={isBusy} onClick={run}>
          Réessayer les échecs
        </Button>
      </Group>
      {failure !== undefined && <p role="alert">{failure}</p>}
      {search.failures && <FailedSites failed={failed} failures={failures} />}
    </Callout>
  );
}

type FailedSitesProps = { failed: number; failures: PluginsRead['diag']['failures'] };

function FailedSites({ failed, failures }: FailedSitesProps) {
  return (
    <Stack component="ul" aria-label="Sites en échec" gap={4} mt={8} fw={400}>
      {failures.map(({ site_id: id, site_name: name, error }) => (
        <Group component="li" key={id} gap="0 12px">
          <Link to="/sites/$siteId" params={{ siteId: id }} search={{}} style={{ color: 'inherit' }}>
            {name}
          </Link>
          <span>{error}</span>
        </Group>
      ))}
      {failed > failures.length && (
        <li>
          {`Et ${plural(failed - failures.length, 'autre', 'autres')}\u00a0: «\u00a0Réessayer les échecs\u00a0» les relit aussi.`}
        </li>
      )}
    </Stack>
  );
}
