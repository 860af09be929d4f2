import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { failureMessage } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { PanelSection } from '../../ui/PanelSection';
import { RetryButton } from '../../ui/RetryButton';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { Skeleton } from '../../ui/Skeleton';
import { needsKeyInstall, SiteKey, SiteReport } from './SiteReport';
import { sitesApi } from './sites.api';
import type { SiteDiagnosis } from './useSiteTest';

type Props = { id: string; diagnosis: SiteDiagnosis; onClose: () => void };

/** Shows the connection test of a site beside the list. */
export function SitePanel({ id, diagnosis, onClose }: Props) {
  const { currentData: site, error, isFetching, refetch } = sitesApi.useSiteQuery({ id });
  const sentence = failureMessage(error, 'Impossible de lire ce site.');
  const mustInstallKey = site !== undefined && needsKeyInstall(site) && diagnosis.id !== id;
  return (
    <SidePanel
      title={site?.name ?? 'Site'}
      onClose={onClose}
      foot={
        site && (
          <Button renderRoot={(props) => <Link {...props} to="/sites/$siteId" params={{ siteId: id }} search={{}} />}>
            Voir le site
          </Button>
        )
      }
    >
      {mustInstallKey && (
        <PanelSection aria-label="Autoriser la clé">
          <h3>Autoriser la clé sur l’hôte</h3>
          <Text variant="note" mt={-10}>
            Exécutez la ligne ci-dessous sur l’hôte, puis testez la connexion.
          </Text>
          <SiteKey site={site} />
        </PanelSection>
      )}
      {site && (
        <PanelSection aria-label="Test de connexion">
          <h3>Test de connexion</h3>
          <SiteReport site={site} diagnosis={diagnosis} />
        </PanelSection>
      )}
      {!site && sentence === undefined && <Skeleton rows={5} height={56} />}
      {!site && sentence !== undefined && (
        <PanelSection component="div">
          <Failure sentence={sentence}>
            <RetryButton isBusy={isFetching} onRetry={refetch} />
          </Failure>
        </PanelSection>
      )}
    </SidePanel>
  );
}
