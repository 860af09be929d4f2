import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Site } from '@vigie/contracts/sites';
import { CloudOff, ExternalLink, FileSearch, PanelsTopLeft, Pencil, SquareTerminal, Trash2 } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { isApiError } from '../../app/api-error';
import { failedBy } from '../../app/failed';
import { usePageTitle } from '../../app/pageTitle';
import { type Show, showing } from '../../app/showing';
import { usePace, visibly } from '../../app/usePace';
import { EmptyState, Notice } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { JobProgress } from '../../ui/JobProgress';
import frame from '../../ui/Page.module.css';
import { RefreshButton } from '../../ui/RefreshButton';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { Card, CoreCard, InfoCard } from './Cards';
import { DeleteSite } from './DeleteSite';
import { Facts } from './Facts';
import { ProblemCard } from './ProblemCard';
import { RepairsLink } from './RepairsLink';
import { EditSite } from './SiteDialog';
import styles from './SitePage.module.css';
import { isKeyNext, SiteKey, SiteReport } from './SiteReport';
import type { SiteSearch } from './search';
import { sitesApi } from './sites.api';
import { useLastTest } from './useLastTest';
import { useLook } from './useLook';
import { useSiteTest } from './useSiteTest';

const everyMs = 60_000;

function useShow(siteId: string): Show<SiteSearch> {
  const navigate = useNavigate();
  return (change, options) =>
    void navigate({ to: '/sites/$siteId', params: { siteId }, ...showing<SiteSearch>(change, options) });
}

type Look = ReturnType<typeof useLook>;
type HeadProps = { site: Site; look: Look; onEdit: () => void; onDelete: () => void };

function Head({ site, look, onEdit, onDelete }: HeadProps) {
  const { server_id: server } = site.connection.ssh;
  return (
    <header className={frame['head']}>
      <div className={styles['title']}>
        <h1>{site.name}</h1>
        <a href={site.url} target="_blank" rel="noopener noreferrer" className={styles['url']}>
          {site.url}
          <ExternalLink size={14} aria-hidden />
        </a>
      </div>
      <div className={styles['actions']}>
        <RefreshButton isBusy={look.isLooking} run={look.run}>
          Actualiser
        </RefreshButton>
        <RepairsLink id={site.id}>{'Site cassé\u202f?'}</RepairsLink>
        {server !== null && (
          <Button
            variant="default"
            leftSection={<SquareTerminal size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/servers/$serverId/console"
                params={{ serverId: server }}
                search={{}}
                preload={false}
              />
            )}
          >
            Console
          </Button>
        )}
        <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={onEdit}>
          Modifier
        </Button>
        <Button variant="default" color="danger" leftSection={<Trash2 size={16} aria-hidden />} onClick={onDelete}>
          Supprimer
        </Button>
      </div>
    </header>
  );
}

const Looking = ({ look: { isLooking, job, failure } }: { look: Look }) => (
  <>
    {isLooking && job?.progress && <JobProgress progress={job.progress} />}
    <Failure sentence={failure} />
  </>
);

type Part = ComponentType<{ site: Site; readAt: number }>;
/** What others have to show and to do here, of the site as it was read then. */
type Parts = { Core: Part; Extensions: Part; Backups: ComponentType<{ site: Site }> };

type ContentProps = {
  site: Site;
  readAt: number;
  search: SiteSearch;
  show: Show<SiteSearch>;
  parts: Parts;
};

function Content({ site, readAt, search, show, parts }: ContentProps) {
  const last = useLastTest(site.id);
  const diagnosis = useSiteTest({ open: site.id, test: search.test ?? last }, (test) => show({ test }));
  const isWaiting = isKeyNext(site) && diagnosis.id === undefined;
  return (
    <>
      {site.problem && <ProblemCard id={site.id} problem={site.problem} facts={site.facts} />}
      <div className={styles['cards']}>
        <InfoCard site={site} />
        <CoreCard site={site}>
          <parts.Core site={site} readAt={readAt} />
        </CoreCard>
      </div>
      {isWaiting && (
        <Card title="Autoriser la clé sur l’hôte">
          <p>Exécutez la ligne ci-dessous sur l’hôte, puis testez la connexion.</p>
          <SiteKey site={site} />
        </Card>
      )}
      {site.facts ? (
        <parts.Extensions site={site} readAt={readAt} />
      ) : (
        <Card title="Plugins et thèmes">
          <EmptyState icon={FileSearch} title="Ce site n’a pas encore été lu.">
            <p>Testez la connexion ou actualisez pour connaître sa version, ses plugins et ses thèmes.</p>
          </EmptyState>
        </Card>
      )}
      <parts.Backups site={site} />
      <div className={styles['cards']}>
        {site.facts && (
          <Card title="Hébergement">
            <Facts site={site} facts={site.facts} />
          </Card>
        )}
        <Card title="Test de connexion">
          <SiteReport site={site} diagnosis={diagnosis} />
        </Card>
      </div>
    </>
  );
}

type WholeProps = Omit<ContentProps, 'show'> & { onDeleted: () => void };

function Whole({ site, search, onDeleted, ...rest }: WholeProps) {
  const { id } = site;
  const show = useShow(id);
  const look = useLook(id);
  const [isDeleting, setDeleting] = useState(false);
  usePageTitle(site.name);
  return (
    <>
      <Head site={site} look={look} onEdit={() => show({ edit: true })} onDelete={() => setDeleting(true)} />
      <Looking look={look} />
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

function Unknown({ id }: { id: string }) {
  usePageTitle('Site introuvable');
  return (
    <Notice
      icon={PanelsTopLeft}
      title="Site introuvable"
      actions={<Button renderRoot={(props) => <Link {...props} to="/sites" search={{}} />}>Voir les sites</Button>}
    >
      <p>
        {'Aucun site ne porte l’identifiant '}
        <code className={styles['id']}>{id}</code>
      </p>
    </Notice>
  );
}

export function SitePage({ id, search, parts }: { id: string; search: SiteSearch; parts: Parts }) {
  const pollingInterval = usePace(sitesApi.endpoints.site.useQueryState(id), everyMs);
  const {
    currentData: site,
    error,
    isFetching,
    refetch,
    fulfilledTimeStamp: readAt = 0,
  } = sitesApi.useSiteQuery(id, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...visibly,
  });
  const navigate = useNavigate();
  const [deleted, setDeleted] = useState<string>();
  // It is read once more while the list is on its way: whoever deleted it knows that it is gone.
  const failure = deleted === id ? undefined : error;
  const isUnknown = isApiError(failure) && (failure.status === 404 || failure.status === 400);
  if (isUnknown) return <Unknown id={id} />;
  const leave = () => {
    setDeleted(id);
    void navigate({ to: '/sites', search: {}, replace: true });
  };
  const sentence = failedBy(failure, 'Impossible de lire ce site.');
  const again = <RetryButton isAsking={isFetching} onRetry={refetch} />;
  return (
    <div className={`${frame['page']} ${styles['page']}`}>
      {site && <Failure sentence={sentence}>{again}</Failure>}
      {site && <Whole key={id} site={site} readAt={readAt} search={search} parts={parts} onDeleted={leave} />}
      {!site && (
        <>
          <h1>Site</h1>
          <div className={styles['unread']}>
            {sentence === undefined ? (
              <Skeleton rows={6} height={56} />
            ) : (
              <EmptyState icon={CloudOff} title={sentence} actions={again} />
            )}
          </div>
        </>
      )}
    </div>
  );
}
