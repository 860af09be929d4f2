import { Link, type LinkProps } from '@tanstack/react-router';
import type { TodoGroup } from '@vigie/contracts/dashboard';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import { Status } from '../../ui/Status';
import { Widget } from '../../ui/Widget';
import { useTodo } from './dashboard.api';
import styles from './dashboard.module.css';
import { type CanOperate, TodoAction, type TodoActions } from './TodoAction';
import { type FailedJob, WorstItems } from './WorstItems';
import { describeTodo } from './words';

const listLinks: Readonly<Record<Exclude<TodoGroup['kind'], 'jobs_failed'>, LinkProps>> = {
  sites_down: { to: '/sites', search: { status: 'error' } },
  servers_in_alert: {
    to: '/',
    search: (current: Record<string, unknown>) => ({ ...current, alert: true, page: undefined }),
    hash: 'server-health',
  },
  proposals: { to: '/proposals' },
  backups_never: { to: '/sites', search: { q: 'sauvegarde:jamais' } },
  backups_late: { to: '/sites', search: { q: 'sauvegarde:>7j' } },
  updates: { to: '/sites', search: { q: 'maj:oui', sort: '-updates' } },
};

type Props = TodoActions & {
  canOperate: CanOperate;
  nameOf: (job: FailedJob) => string;
  onShowFailed: () => void;
};

/** Leads to the list of all items of a line. */
function AllLink({ kind, className, onShowFailed, children }: AllLinkProps) {
  if (kind === 'jobs_failed') {
    return (
      <button type="button" className={className} onClick={onShowFailed}>
        {children}
      </button>
    );
  }
  return (
    <Link {...listLinks[kind]} className={className ?? ''}>
      {children}
    </Link>
  );
}
type AllLinkProps = Pick<TodoGroup, 'kind'> &
  Pick<Props, 'onShowFailed'> & { className: string | undefined; children: ReactNode };

function Line({ line, canOperate, nameOf, onShowFailed, ...actions }: Props & { line: TodoGroup }) {
  const { tone, word, sentence } = describeTodo(line);
  const remaining = line.count - line.worst.length;
  const all = { kind: line.kind, onShowFailed };
  return (
    <li className={styles['todo']}>
      <Status tone={tone}>{word}</Status>
      <AllLink {...all} className={links['name']}>
        {sentence}
      </AllLink>
      <TodoAction line={line} canOperate={canOperate} {...actions} />
      <WorstItems line={line} canOperate={canOperate} nameOf={nameOf}>
        {remaining > 0 && (
          <AllLink {...all} className={links['within']}>{`et ${plural(remaining, 'autre', 'autres')}`}</AllLink>
        )}
      </WorstItems>
    </li>
  );
}

/** The problems to solve, the worst first, each with what solves it. */
export function Todo(props: Props) {
  const answer = useTodo();
  const { data, error } = answer;
  return (
    <Widget
      id="todo"
      title="À traiter"
      answer={answer}
      sentence={failureMessage(error, 'La liste des points à traiter n’a pas pu être lue.')}
      rows={6}
    >
      {data?.items.length === 0 && <EmptyState icon={CircleCheck} title="Rien à traiter pour l’instant." />}
      <Lines>
        {data?.items.map((line) => (
          <Line key={line.kind} line={line} {...props} />
        ))}
      </Lines>
    </Widget>
  );
}
