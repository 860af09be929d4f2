import { Link, type LinkProps } from '@tanstack/react-router';
import type { TodoLine } from '@vigie/contracts/dashboard';
import { CircleCheck } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { spellAlert } from '../../app/alerts';
import { withJobParam } from '../../app/withJobParam';
import { failedBy } from '../../app/failed';
import { usePace, visibly } from '../../app/usePace';
import { EmptyState } from '../../ui/EmptyState';
import { plural } from '../../ui/plural';
import { Status } from '../../ui/Status';
import { When } from '../../ui/When';
import { Widget } from '../../ui/Widget';
import { dashboardApi } from './dashboard.api';
import styles from './Todo.module.css';
import { everyMs } from './useSummary';
import { sayTodo } from './words';

type Of<K extends TodoLine['kind']> = Extract<TodoLine, { kind: K }>['worst'][number];
type Job = Of<'jobs_failed'>;

type Jobs = {
  nameOf: (job: Job) => string;
  onShowFailed: () => void;
};

type NamedProps = { to: LinkProps; name: string; children?: ReactNode };

const Named = ({ to, name, children }: NamedProps) => (
  <li>
    <Link {...to} className={styles['name'] ?? ''}>
      {name}
    </Link>{' '}
    {children !== undefined && <span className={styles['why']}>{children}</span>}
  </li>
);

type Shown = Record<string, unknown>;

const toSite = (id: string, hash?: string): LinkProps => ({
  to: '/sites/$siteId',
  params: { siteId: id },
  ...(hash !== undefined && { hash }),
});
const whyDown = ({ reason, http_code: code }: Of<'sites_down'>) =>
  reason ?? (code === null ? undefined : `HTTP\u00a0${code}`);

/** The worst items of a kind, each a link to the screen where it can be solved. */
function Worst({ line, jobs }: { line: TodoLine; jobs: Jobs }): ReactElement[] {
  if (line.kind === 'sites_down') {
    return line.worst.map((site) => (
      <Named key={site.id} to={toSite(site.id)} name={site.name}>
        {whyDown(site)}
      </Named>
    ));
  }
  if (line.kind === 'servers_in_alert') {
    return line.worst.map(({ id, name, alerts }) => (
      <Named key={id} to={{ to: '/servers', search: { open: id } }} name={name}>
        {alerts.map(spellAlert).join(', ')}
      </Named>
    ));
  }
  if (line.kind === 'jobs_failed') {
    return line.worst.map((job) => (
      <Named key={job.id} to={{ to: '/', search: withJobParam(job.id) }} name={jobs.nameOf(job)}>
        <When at={job.finished_at} />
      </Named>
    ));
  }
  if (line.kind === 'backups_never') {
    return line.worst.map(({ id, name }) => <Named key={id} to={toSite(id, 'backups')} name={name} />);
  }
  if (line.kind === 'backups_late') {
    return line.worst.map(({ id, name, last_backup_at: at }) => (
      <Named key={id} to={toSite(id, 'backups')} name={name}>
        <When at={at} />
      </Named>
    ));
  }
  return line.worst.map(({ id, name, updates }) => (
    <Named key={id} to={toSite(id)} name={name}>
      {plural(updates, 'mise à jour', 'mises à jour')}
    </Named>
  ));
}

const lists: Readonly<Record<Exclude<TodoLine['kind'], 'jobs_failed'>, LinkProps>> = {
  sites_down: { to: '/sites', search: { status: 'error' } },
  servers_in_alert: {
    to: '/',
    search: (shown: Shown) => ({ ...shown, alert: true, page: undefined }),
    hash: 'server-health',
  },
  backups_never: { to: '/sites', search: { q: 'sauvegarde:jamais' } },
  backups_late: { to: '/sites', search: { q: 'sauvegarde:>7j' } },
  updates: { to: '/sites', search: { q: 'maj:oui', sort: '-updates' } },
};

function Line({ line, jobs }: { line: TodoLine; jobs: Jobs }) {
  const { tone, word, sentence } = sayTodo(line);
  const left = line.count - line.worst.length;
  return (
    <li className={styles['line']}>
      <Status tone={tone}>{word}</Status>
      {line.kind === 'jobs_failed' ? (
        <button type="button" className={styles['all']} onClick={jobs.onShowFailed}>
          {sentence}
        </button>
      ) : (
        <Link {...lists[line.kind]} className={styles['all'] ?? ''}>
          {sentence}
        </Link>
      )}
      <ul className={styles['worst']}>
        <Worst line={line} jobs={jobs} />
        {left > 0 && <li className={styles['why']}>{`et ${plural(left, 'autre', 'autres')}`}</li>}
      </ul>
    </li>
  );
}

/** The problems to solve, the worst first. */
export function Todo(jobs: Jobs) {
  const pollingInterval = usePace(dashboardApi.endpoints.todo.useQueryState(), everyMs);
  const answer = dashboardApi.useTodoQuery(undefined, { pollingInterval, refetchOnMountOrArgChange: true, ...visibly });
  const { data, error } = answer;
  return (
    <Widget
      id="todo"
      title="À traiter"
      answer={answer}
      sentence={failedBy(error, 'Ce qui est à traiter n’a pas pu être lu.')}
    >
      {data?.items.length === 0 && <EmptyState icon={CircleCheck} title="Rien à traiter pour l’instant." />}
      <ul>
        {data?.items.map((line) => (
          <Line key={line.kind} line={line} jobs={jobs} />
        ))}
      </ul>
    </Widget>
  );
}
