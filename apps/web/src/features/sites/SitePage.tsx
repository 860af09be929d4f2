import { Box, Button, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { editSite, type Site } from '@vigie/contracts/sites';
import { CloudOff, PanelsTopLeft } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { allows } from '../../kit/fleet/roles';
import { isApiError } from '../../kit/query/api-error';
import { failureMessage } from '../../kit/query/failures';
import { usePageTitle } from '../../ui/pageTitle';
import { type ChangeSearch, changeSearch } from '../../kit/list/search-params';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { Card as Frame } from '../../ui/Card';
import { EmptyState, Notice } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { DeleteSite, EditSite } from './SiteDialogs';
import { SiteHead } from './SiteHead';
import { SiteTabs } from './SiteTabs';
import type { SiteSearch } from './search';
import { sitesApi } from './sites.api';
import { useSiteCheck } from './useSiteCheck';
import { countUpdates } from './words';

const pollMs = 60_000;

type HeadProps = {
  site: Site;
  search: SiteSearch;
  /** The main actions of the head, which come from other features. */
  actions: ComponentType<{ site: Site }>;
  onDeleted: () => void;
};

function Head({ site, search, actions: MainActions, onDeleted }: HeadProps) {
  const { id } = site;
  const navigate = useNavigate();
  const show: ChangeSearch<SiteSearch> = (change, options) =>
    void navigate({ to: '.', ...changeSearch<SiteSearch>(change, options) });
  const check = useSiteCheck(id);
  const [isDeleting, setDeleting] = useState(false);
  usePageTitle(site.name);
  return (
    <>
      <SiteHead site={site} check={check} onEdit={() => show({ edit: true })} onDelete={() => setDeleting(true)}>
        <MainActions site={site} />
      </SiteHead>
      {search.edit && allows(site, editSite) && (
        <EditSite
          id={id}
          onSaved={() => show({ edit: undefined }, { isSaved: true })}
          onClose={() => show({ edit: undefined })}
        />
      )}
      {isDeleting && <DeleteSite site={site} onClose={() => setDeleting(false)} onDeleted={onDeleted} />}
    </>
  );
}

function SiteNotFound({ id }: { id: string }) {
  usePageTitle('Site introuvable');
  return (
    <Notice
      icon={PanelsTopLeft}
      title="Site introuvable"
      actions={<Button renderRoot={(props) => <Link {...props} to="/sites" search={{}} />}>Voir les sites</Button>}
    >
      <p>
        {'Aucun site ne porte l’identifiant '}
        <Text component="code" ff="monospace" fz={13}>
          {id}
        </Text>
      </p>
    </Notice>
  );
}

type Props = Omit<HeadProps, 'site' | 'onDeleted'> & {
  id: string;
  /** The number of backups, once they were listed. */
  backups: number | undefined;
  /** The tab that the address names. */
  children: ReactNode;
};

/** Loads a site for all of its tabs. */
function useSite(id: string) {
  const pollingInterval = usePollInterval(sitesApi.endpoints.site.useQueryState({ id }), pollMs);
  const options = { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible };
  return sitesApi.useSiteQuery({ id }, options);
}

export function SitePage({ id, backups, children, ...head }: Props) {
  const { currentData: site, error, isFetching, refetch } = useSite(id);
  const navigate = useNavigate();
  const [deletedId, setDeletedId] = useState<string>();
  // After a deletion the site is read once more while the list loads: that 404 must not show.
  const failure = deletedId === id ? undefined : error;
  const isNotFound = isApiError(failure) && (failure.status === 404 || failure.status === 400);
  if (isNotFound) return <SiteNotFound id={id} />;
  const showList = () => {
    setDeletedId(id);
    void navigate({ to: '/sites', search: {}, replace: true });
  };
  const sentence = failureMessage(failure, 'Impossible de lire ce site.');
  const retryButton = <RetryButton isBusy={isFetching} onRetry={refetch} />;
  return (
    <Stack gap={16} maw={1440}>
      {site && <Failure sentence={sentence}>{retryButton}</Failure>}
      {site ? <Head key={id} site={site} onDeleted={showList} {...head} /> : <HeadPlaceholder />}
      <SiteTabs id={id} site={site} updates={site ? (countUpdates(site) ?? 0) : undefined} backups={backups} />
      {site ? children : <NoSite sentence={sentence} retryButton={retryButton} />}
    </Stack>
  );
}

/** As high as the head that takes its place. */
const HeadPlaceholder = () => (
  <Box mih={{ base: 216, sm: 110 }}>
    <h1>Site</h1>
  </Box>
);

const NoSite = ({ sentence, retryButton }: { sentence: string | undefined; retryButton: ReactNode }) => (
  <Frame>
    {sentence === undefined ? (
      <Skeleton rows={6} height={56} />
    ) : (
      <EmptyState icon={CloudOff} title={sentence} actions={retryButton} />
    )}
  </Frame>
);
