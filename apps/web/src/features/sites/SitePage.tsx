import { Button, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Site } from '@vigie/contracts/sites';
import { CloudOff, FileSearch, PanelsTopLeft } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
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
import { Card, CoreCard, InfoCard } from './Cards';
import { DeleteSite, EditSite } from './SiteDialogs';
import { HostingDetails } from './HostingDetails';
import { ProblemCard } from './ProblemCard';
import { CheckProgress, SiteHead } from './SiteHead';
import { needsKeyInstall, SiteKey, SiteReport } from './SiteReport';
import type { SiteSearch } from './search';
import styles from './sites.module.css';
import { sitesApi } from './sites.api';
import { useLastTest, useSiteTest } from './useSiteTest';
import { useSiteCheck } from './useSiteCheck';

const pollMs = 60_000;

function useShow(siteId: string): ChangeSearch<SiteSearch> {
  const navigate = useNavigate();
  return (change, options) =>
    void navigate({ to: '/sites/$siteId', params: { siteId }, ...changeSearch<SiteSearch>(change, options) });
}

type SitePart = ComponentType<{ site: Site; readAt: number }>;
/** The parts of the page that come from other features; `readAt` is when the site was loaded. */
type SiteParts = { Core: SitePart; Extensions: SitePart; Backups: ComponentType<{ site: Site }> };

const NoExtensions = () => (
  <Card title="Plugins et thèmes">
    <EmptyState icon={FileSearch} title="Ce site n’a pas encore été lu.">
      <p>Testez la connexion ou actualisez pour connaître sa version, ses plugins et ses thèmes.</p>
    </EmptyState>
  </Card>
);

type ContentProps = {
  site: Site;
  readAt: number;
  search: SiteSearch;
  show: ChangeSearch<SiteSearch>;
  parts: SiteParts;
};

function Content({ site, readAt, search, show, parts }: ContentProps) {
  const lastTest = useLastTest(site.id);
  const diagnosis = useSiteTest({ open: site.id, test: search.test ?? lastTest }, (test) => show({ test }));
  const mustInstallKey = needsKeyInstall(site) && diagnosis.id === undefined;
  return (
    <>
      {site.problem && <ProblemCard id={site.id} problem={site.problem} state={site.facts} />}
      <div className={styles['cards']}>
        <InfoCard site={site} />
        <CoreCard site={site}>
          <parts.Core site={site} readAt={readAt} />
        </CoreCard>
      </div>
      {mustInstallKey && (
        <Card title="Autoriser la clé sur l’hôte">
          <p>Exécutez la ligne ci-dessous sur l’hôte, puis testez la connexion.</p>
          <SiteKey site={site} />
        </Card>
      )}
      {site.facts ? <parts.Extensions site={site} readAt={readAt} /> : <NoExtensions />}
      <parts.Backups site={site} />
      <div className={styles['cards']}>
        {site.facts && (
          <Card title="Hébergement">
            <HostingDetails site={site} state={site.facts} />
          </Card>
        )}
        <Card title="Test de connexion">
          <SiteReport site={site} diagnosis={diagnosis} />
        </Card>
      </div>
    </>
  );
}

type LoadedSiteProps = Omit<ContentProps, 'show'> & { onDeleted: () => void };

function LoadedSite({ site, search, onDeleted, ...rest }: LoadedSiteProps) {
  const { id } = site;
  const show = useShow(id);
  const check = useSiteCheck(id);
  const [isDeleting, setDeleting] = useState(false);
  usePageTitle(site.name);
  return (
    <>
      <SiteHead site={site} check={check} onEdit={() => show({ edit: true })} onDelete={() => setDeleting(true)} />
      <CheckProgress check={check} />
      <Content site={site} search={search} show={show} {...rest} />
      {search.edit && (
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

export function SitePage({ id, search, parts }: { id: string; search: SiteSearch; parts: SiteParts }) {
  const pollingInterval = usePollInterval(sitesApi.endpoints.site.useQueryState({ id }), pollMs);
  const {
    currentData: site,
    error,
    isFetching,
    refetch,
    fulfilledTimeStamp: readAt = 0,
  } = sitesApi.useSiteQuery(
    { id },
    {
      pollingInterval,
      refetchOnMountOrArgChange: true,
      ...whileVisible,
    },
  );
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
      {site && <LoadedSite key={id} site={site} readAt={readAt} search={search} parts={parts} onDeleted={showList} />}
      {!site && <NoSite sentence={sentence} retryButton={retryButton} />}
    </Stack>
  );
}

function NoSite({ sentence, retryButton }: { sentence: string | undefined; retryButton: ReactNode }) {
  return (
    <>
      <h1>Site</h1>
      <Frame>
        {sentence === undefined ? (
          <Skeleton rows={6} height={56} />
        ) : (
          <EmptyState icon={CloudOff} title={sentence} actions={retryButton} />
        )}
      </Frame>
    </>
  );
}
