import { Button, Group, Stack, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PluginsRead } from '@vigie/contracts/plugins';
import { Callout } from '../../ui/Callout';
import { plural } from '../../ui/plural';
import links from '../../ui/links.module.css';
import { TimeAgo } from '../../ui/TimeAgo';
import toolbar from '../../ui/Toolbar.module.css';
import type { Change, PluginsSearch } from './search';
import { useRetryFailures } from './useActions';
import { spellDiagnosis } from './words';

type AgeProps = { read: PluginsRead; search: PluginsSearch; onChange: Change };

/** How many sites were read, and when. The failures unfold from it, so that the list does not move when they are known. */
export const ScanAge = ({ read: { diag, updated_at: at, refreshing }, search, onChange }: AgeProps) => (
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
    {diag.sites_failed > 0 && (
      <>
        {' · '}
        <UnstyledButton
          fz={13}
          c="warn"
          className={links['within']}
          aria-expanded={search.failures === true}
          onClick={() => onChange({ failures: search.failures ? undefined : true })}
        >
          {search.failures ? 'Masquer les échecs' : 'Voir les échecs'}
        </UnstyledButton>
      </>
    )}
  </span>
);

type Props = { read: PluginsRead; search: PluginsSearch };

/** The sites whose last scan failed. */
export function ScanFailures({ read: { diag }, search }: Props) {
  const { isBusy, failure, run } = useRetryFailures(search.group);
  const { sites_failed: failed, failures } = diag;
  if (failed === 0) return null;
  return (
    <Callout tone="warn">
      <p>
        {`${plural(failed, 'site n’a pas pu être lu\u00a0: ses', 'sites n’ont pas pu être lus\u00a0: leurs')} plugins ont peut-être changé depuis.`}
      </p>
      <FailedSites failed={failed} failures={failures} />
      <Group gap={8} mt={8} className={toolbar['actions'] ?? ''}>
        <Button variant="default" loading={isBusy} onClick={run}>
          Réessayer les échecs
        </Button>
      </Group>
      {failure !== undefined && <p role="alert">{failure}</p>}
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
