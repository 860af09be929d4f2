import { Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { TodoGroup } from '@vigie/contracts/dashboard';
import { CircleCheck } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { formatAlert } from '../../kit/words/alerts';
import { toJob } from '../../kit/job/JobLink';
import { failureMessage } from '../../kit/query/failures';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { Widget } from '../../ui/Widget';
import { dashboardApi, dashboardPollMs } from './dashboard.api';
import styles from './dashboard.module.css';
import { describeTodo } from './words';

type WorstItem<K extends TodoGroup['kind']> = Extract<TodoGroup, { kind: K }>['worst'][number];
type Job = WorstItem<'jobs_failed'>;

type JobProps = {
  nameOf: (job: Job) => string;
  onShowFailed: () => void;
};

type WorstLinkProps = { to: LinkProps; name: string; children?: ReactNode };

const WorstLink = ({ to, name, children }: WorstLinkProps) => (
  <li>
    <Link {...to} className={links['within'] ?? ''}>
      {name}
    </Link>{' '}
    {children !== undefined && (
      <Text span c="muted">
        {children}
      </Text>
    )}
  </li>
);

type CurrentSearch = Record<string, unknown>;

const siteLink = (id: string, hash?: string): LinkProps => ({
  to: '/sites/$siteId',
  params: { siteId: id },
  ...(hash !== undefined && { hash }),
});
const downReason = ({ reason, http_code: code }: WorstItem<'sites_down'>) =>
  reason ?? (code === null ? undefined : `HTTP\u00a0${code}`);

/** The worst items of a kind, each a link to the screen where it can be solved. */
function Worst({ line, jobs }: { line: TodoGroup; jobs: JobProps }): ReactElement[] {
  if (line.kind === 'sites_down') {
    return line.worst.map((site) => (
      <WorstLink key={site.id} to={siteLink(site.id)} name={site.name}>
        {downReason(site)}
      </WorstLink>
    ));
  }
  if (line.kind === 'servers_in_alert') {
    return line.worst.map(({ id, name, alerts }) => (
      <WorstLink key={id} to={{ to: '/servers', search: { open: id } }} name={name}>
        {alerts.map(formatAlert).join(', ')}
      </WorstLink>
    ));
  }
  if (line.kind === 'jobs_failed') {
    return line.worst.map((job) => (
      <WorstLink key={job.id} to={toJob(job.id)} name={jobs.nameOf(job)}>
        <TimeAgo at={job.finished_at} />
      </WorstLink>
    ));
  }
  if (line.kind === 'backups_never') {
    return line.worst.map(({ id, name }) => <WorstLink key={id} to={siteLink(id, 'backups')} name={name} />);
  }
  if (line.kind === 'backups_late') {
    return line.worst.map(({ id, name, last_backup_at: at }) => (
      <WorstLink key={id} to={siteLink(id, 'backups')} name={name}>
        <TimeAgo at={at} />
      </WorstLink>
    ));
  }
  return line.worst.map(({ id, name, updates }) => (
    <WorstLink key={id} to={siteLink(id)} name={name}>
      {plural(updates, 'mise à jour', 'mises à jour')}
    </WorstLink>
  ));
}

const listLinks: Readonly<Record<Exclude<TodoGroup['kind'], 'jobs_failed'>, LinkProps>> = {
  sites_down: { to: '/sites', search: { status: 'error' } },
  servers_in_alert: {
    to: '/',
    search: (current: CurrentSearch) => ({ ...current, alert: true, page: undefined }),
    hash: 'server-health',
  },
  backups_never: { to: '/sites', search: { q: 'sauvegarde:jamais' } },
  backups_late: { to: '/sites', search: { q: 'sauvegarde:>7j' } },
  updates: { to: '/sites', search: { q: 'maj:oui', sort: '-updates' } },
};

function Line({ line, jobs }: { line: TodoGroup; jobs: JobProps }) {
  const { tone, word, sentence } = describeTodo(line);
  const remaining = line.count - line.worst.length;
  return (
    <li className={styles['todo']}>
      <Status tone={tone}>{word}</Status>
      {line.kind === 'jobs_failed' ? (
        <button type="button" className={links['name']} onClick={jobs.onShowFailed}>
          {sentence}
        </button>
      ) : (
        <Link {...listLinks[line.kind]} className={links['name'] ?? ''}>
          {sentence}
        </Link>
      )}
      <ul className={styles['worst']}>
        <Worst line={line} jobs={jobs} />
        {remaining > 0 && (
          <Text component="li" c="muted">
            {`et ${plural(remaining, 'autre', 'autres')}`}
          </Text>
        )}
      </ul>
    </li>
  );
}

/** The problems to solve, the worst first. */
export function Todo(jobs: JobProps) {
  const pollingInterval = usePollInterval(dashboardApi.endpoints.todo.useQueryState(), dashboardPollMs);
  const answer = dashboardApi.useTodoQuery(undefined, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  const { data, error } = answer;
  return (
    <Widget
      id="todo"
      title="À traiter"
      answer={answer}
      sentence={failureMessage(error, 'La liste des points à traiter n’a pas pu être lue.')}
    >
      {data?.items.length === 0 && <EmptyState icon={CircleCheck} title="Rien à traiter pour l’instant." />}
      <Lines>
        {data?.items.map((line) => (
          <Line key={line.kind} line={line} jobs={jobs} />
        ))}
      </Lines>
    </Widget>
  );
}
