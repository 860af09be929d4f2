import { Button, Stack, Text } from '@mantine/core';
import { useNavigate, Link } from '@tanstack/react-router';
import { type Site, type SiteItem, testSite } from '@vigie/contracts/sites';
import { type ComponentProps, useState } from 'react';
import { allows } from '../../kit/fleet/roles';
import { type ChangeSearch, changeSearch } from '../../kit/list/search-params';
import { DeleteSite, AddSite, EditSite } from './SiteDialogs';
import { needsKeyInstall, SiteKey, SiteReport } from './SiteReport';
import { SitesList } from './SitesList';
import type { SitesSearch } from './search';
import type { Saved } from './useSiteForm';
import { useSiteTest, type SiteDiagnosis } from './useSiteTest';
import { failureMessage } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { PanelSection } from '../../ui/Section';
import { RetryButton } from '../../ui/RetryButton';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { Skeleton } from '../../ui/Skeleton';
import { sitesApi } from './sites.api';

type SitePanelProps = { id: string; diagnosis: SiteDiagnosis; onClose: () => void };

/** Shows the connection test of a site beside the list. */
function SitePanel({ id, diagnosis, onClose }: SitePanelProps) {
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
      {mustInstallKey && <KeySection site={site} />}
      {site && allows(site, testSite) && (
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

const KeySection = ({ site }: { site: Site }) => (
  <PanelSection aria-label="Autoriser la clé">
    <h3>Autoriser la clé sur l’hôte</h3>
    <Text variant="note" mt={-10}>
      Exécutez la ligne ci-dessous sur l’hôte, puis testez la connexion.
    </Text>
    <SiteKey site={site} />
  </PanelSection>
);

type Search = SitesSearch & { panel?: 'profile' | undefined };

/** The address holds what the page shows. Opening a panel adds a history entry; filters and forms do not. */
function useShow(): ChangeSearch<SitesSearch> {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/sites', ...changeSearch<SitesSearch>(change, options) });
}

function useSiteActions(search: Search) {
  const show = useShow();
  const diagnosis = useSiteTest(search, (test) => show({ test }));
  const [deleting, setDeleting] = useState<SiteItem>();
  const actions = {
    test: ({ id }: SiteItem) => {
      show({ open: id, test: undefined }, { isStep: search.open === undefined });
      diagnosis.run(id);
    },
    edit: ({ id }: SiteItem) => show({ edit: id }),
    remove: setDeleting,
  };
  const afterSave = ({ site, isNew }: Saved) => {
    const mustInstallKey = needsKeyInstall(site);
    const openPanel = isNew ? { open: site.id, test: undefined } : {};
    show({ add: undefined, edit: undefined, ...openPanel }, { isSaved: true });
    // A generated key must be installed before a test: the panel shows how.
    if (isNew && !mustInstallKey) diagnosis.run(site.id);
  };
  const deletion = deleting && {
    site: deleting,
    onClose: () => setDeleting(undefined),
    onDeleted: () => {
      setDeleting(undefined);
      if (search.open === deleting.id) show({ open: undefined, test: undefined });
    },
  };
  return { show, diagnosis, actions, afterSave, deletion };
}

type Props = Omit<ComponentProps<typeof SitesList>, 'search' | 'actions' | 'onChange' | 'onAdd'> & { search: Search };

export function SitesPage({ search, ...rest }: Props) {
  const { open, edit, add, panel } = search;
  const { show, diagnosis, actions, afterSave, deletion } = useSiteActions(search);
  return (
    <Stack gap={12}>
      <SitesList {...rest} search={search} actions={actions} onChange={show} onAdd={() => show({ add: true })} />
      {/* Only one panel fits: the profile hides this one. */}
      {open !== undefined && panel === undefined && (
        <SitePanel
          key={open}
          id={open}
          diagnosis={diagnosis}
          onClose={() => show({ open: undefined, test: undefined })}
        />
      )}
      {add && <AddSite onSaved={afterSave} onClose={() => show({ add: undefined })} />}
      {!add && edit !== undefined && (
        <EditSite key={edit} id={edit} onSaved={afterSave} onClose={() => show({ edit: undefined })} />
      )}
      {deletion && <DeleteSite {...deletion} />}
    </Stack>
  );
}
