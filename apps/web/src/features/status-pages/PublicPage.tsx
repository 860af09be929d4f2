import type { PublicState, PublicStatus } from '@vigie/contracts/status-pages';
import { CircleCheckBig, CircleDashed, CloudOff, Construction, type LucideIcon, OctagonX, Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { isApiError } from '../../kit/query/api-error';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { copyrightOf, useBrand } from '../../ui/brand';
import { Notice } from '../../ui/EmptyState';
import { Logo } from '../../ui/Logo';
import { usePageTitle } from '../../ui/pageTitle';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { PublicOutages } from './PublicOutages';
import { PublicSites } from './PublicSites';
import { statusPagesApi } from './status-pages.api';
import styles from './status-pages.module.css';
import { otherSentence, overallSentence, stateTone, updatedWords } from './words';

const pollMs = 60_000;

function useStatus(secret: string) {
  const params = { secret };
  const query = statusPagesApi.endpoints.publicStatus.useQueryState(params);
  const pollingInterval = usePollInterval(query, pollMs);
  const isGone = isApiError(query.error) && query.error.status === 404;
  const answer = statusPagesApi.usePublicStatusQuery(params, {
    pollingInterval: isGone ? 0 : pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  return { ...answer, isGone };
}

const icons: Readonly<Record<PublicState, LucideIcon>> = {
  up: CircleCheckBig,
  down: OctagonX,
  maintenance: Construction,
  unknown: CircleDashed,
};

type OverallProps = { status: PublicStatus; isFailing: boolean };

function Overall({ status, isFailing }: OverallProps) {
  const { app_name: appName } = useBrand();
  const { counts, state, generated_at: at } = status;
  const tone = stateTone(state);
  const others = otherSentence(counts);
  const Icon = icons[state];
  return (
    <div className={styles['overall']} style={{ background: `var(--${tone}-tint)`, color: `var(--${tone})` }}>
      <Icon size={28} aria-hidden />
      <div>
        <output className={styles['sentence']}>{overallSentence(status, appName)}</output>
        {others !== undefined && <p>{others}</p>}
        <p className={styles['updated']}>
          <time dateTime={at}>{updatedWords(at)}</time>
          {isFailing && '. La dernière mise à jour a échoué, une autre suit.'}
        </p>
      </div>
    </div>
  );
}

function Shown({ status, isFailing }: OverallProps) {
  usePageTitle(status.title);
  return (
    <>
      <h1 className={styles['title']}>{status.title}</h1>
      <Overall status={status} isFailing={isFailing} />
      <PublicSites status={status} />
      <PublicOutages outages={status.outages} />
    </>
  );
}

const Gone = () => (
  <Notice icon={Unlink} role="alert" title="Cette page n’existe pas ou n’est plus publiée.">
    <p>Demandez un nouveau lien à la personne qui vous a donné celui-ci.</p>
  </Notice>
);

/** What anybody who has the address of a page sees: no session, no menu, and no link to Vigie. */
export function PublicPage({ secret }: { secret: string }) {
  const brand = useBrand();
  const { data, error, isGone, isFetching, refetch } = useStatus(secret);
  const content = (): ReactNode => {
    if (isGone) return <Gone />;
    if (data) return <Shown status={data} isFailing={error !== undefined} />;
    if (!error) return <Skeleton rows={6} />;
    return (
      <Notice
        icon={CloudOff}
        role="alert"
        title="L’état des sites n’a pas pu être lu."
        actions={<RetryButton isBusy={isFetching} onRetry={refetch} />}
      >
        <p>La page se remettra d’elle-même à jour.</p>
      </Notice>
    );
  };
  return (
    <div className={styles['page']}>
      <header className={styles['brand']}>
        <Logo size={28} />
        {brand.app_name}
      </header>
      <main>{content()}</main>
      <footer>{copyrightOf(brand)}</footer>
    </div>
  );
}
