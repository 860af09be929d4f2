import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { SiteColumn } from '@vigie/contracts/site-views';
import type { HttpStatus, SiteItem } from '@vigie/contracts/sites';
import { Eye, Pencil, PlugZap, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GroupNames } from '../../kit/fleet/groups';
import { useOwnerLabel } from '../../kit/fleet/users';
import { formatDate } from '../../ui/dates';
import { IconButton, iconButtonClass } from '../../ui/IconButton';
import links from '../../ui/links.module.css';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './sites.module.css';
import { countUpdates, httpLabel, isOldBackup, reasonsOf, spellUpdates, statuses } from './words';

type Props = { site: SiteItem };
type CellProps = Props & { groupNames: GroupNames };

export const SiteLink = ({ site }: Props) => (
  <Link to="/sites/$siteId" params={{ siteId: site.id }} search={{}} className={links['name'] ?? ''}>
    {site.name}
  </Link>
);

const SiteUrl = ({ site: { url } }: Props) => (
  <a href={url} target="_blank" rel="noopener noreferrer" title={url} className={styles['url']}>
    {url}
  </a>
);

function Updates({ site }: Props) {
  const count = countUpdates(site);
  if (count === null) return '—';
  const summary = spellUpdates(site);
  return (
    <span title={summary} className={count > 0 ? styles['waiting'] : styles['none']}>
      {count}
      {summary !== undefined && <VisuallyHidden>{` (${summary})`}</VisuallyHidden>}
    </span>
  );
}

/** The names of a site's groups, with their full paths in a tooltip. */
function Groups({ site, groupNames }: CellProps) {
  const groups = groupNames(site.groups);
  if (groups.length === 0) return '—';
  return <span title={groups.map(({ path }) => path).join('\n')}>{groups.map(({ name }) => name).join(', ')}</span>;
}

const hourMs = 3_600_000;

function Backup({ site: { last_backup_at: at } }: Props) {
  const now = useNow(hourMs);
  if (at === null) return 'Jamais';
  if (!isOldBackup(at, now)) return <TimeAgo at={at} />;
  return (
    <span className={styles['waiting']}>
      <TimeAgo at={at} />
      <VisuallyHidden>{' (plus de 7\u00a0jours)'}</VisuallyHidden>
    </span>
  );
}

const serverOf = ({ connection: { ssh } }: SiteItem) => ssh.server_name ?? ssh.effective?.host ?? '—';

/** The content of each column. */
const cells: Readonly<Record<SiteColumn, (props: CellProps) => ReactNode>> = {
  url: SiteUrl,
  groups: Groups,
  server: ({ site }) => serverOf(site),
  status: SiteStatusBadge,
  http: ({ site }) => <HttpBadge http={site.http} />,
  updates: Updates,
  wp_version: ({ site }) => site.wpCore.version ?? '—',
  php_version: ({ site }) => site.php_version ?? '—',
  backup: Backup,
  read: ({ site }) => (site.read_at === null ? '—' : <TimeAgo at={site.read_at} />),
};

export function Cell({ column, ...props }: CellProps & { column: SiteColumn }) {
  const Content = cells[column];
  return <Content {...props} />;
}

/** Labels for values that are unclear without a column head. */
const detailLabels: Partial<Record<SiteColumn, string>> = {
  updates: 'Mises à jour\u00a0: ',
  wp_version: 'WP ',
  php_version: 'PHP ',
  backup: 'Sauvegarde\u00a0: ',
  read: 'Lu ',
};

/** Unknown values are left out below the name. */
const hasValue: Partial<Record<SiteColumn, (site: SiteItem) => boolean>> = {
  groups: ({ groups }) => groups.length > 0,
  server: (site) => serverOf(site) !== '—',
  updates: (site) => (countUpdates(site) ?? 0) > 0,
  wp_version: ({ wpCore }) => wpCore.version !== null,
  php_version: ({ php_version: version }) => version !== null,
  read: ({ read_at: at }) => at !== null,
};

/** The columns without room, in one line below the name. */
export function Details({ site, groupNames, columns }: CellProps & { columns: readonly SiteColumn[] }) {
  const visibleColumns = columns.filter((column) => hasValue[column]?.(site) ?? true);
  const ownerName = useOwnerLabel(site);
  if (visibleColumns.length === 0 && ownerName === undefined) return null;
  return (
    <p className={styles['details']}>
      {ownerName !== undefined && <span className={styles['detail']}>{ownerName}</span>}
      {visibleColumns.map((column) => (
        <span key={column} className={styles['detail']}>
          {detailLabels[column]}
          <Cell column={column} site={site} groupNames={groupNames} />
        </span>
      ))}
    </p>
  );
}

type SiteWithStatus = Pick<SiteItem, 'status' | 'ssh_error' | 'problem' | 'http' | 'updates'>;

/** The status of a site, with its reasons in a tooltip. */
export function SiteStatusBadge({ site }: { site: SiteWithStatus }) {
  const { tone, word } = statuses[site.status];
  const reasons = reasonsOf(site).join('\n');
  return (
    <span title={reasons || undefined}>
      <Status tone={tone}>{word}</Status>
    </span>
  );
}

/** The HTTP status of the last visit, with its date in a tooltip. */
export function HttpBadge({ http }: { http: HttpStatus | null }) {
  const { tone, word, reason } = httpLabel(http);
  const checkedAt = http ? `Vu le ${formatDate(new Date(http.checked_at))}` : '';
  return (
    <span title={[reason, checkedAt].filter(Boolean).join('\n')}>
      <Status tone={tone}>{word}</Status>
    </span>
  );
}

export type SiteActionHandlers = {
  test: (site: SiteItem) => void;
  edit: (site: SiteItem) => void;
  remove: (site: SiteItem) => void;
};

export const SiteActions = ({ site, actions }: { site: SiteItem; actions: SiteActionHandlers }) => (
  <Group gap={0} wrap="nowrap">
    <Link
      to="/sites/$siteId"
      params={{ siteId: site.id }}
      search={{}}
      aria-label={`Voir ${site.name}`}
      data-edge
      className={iconButtonClass ?? ''}
    >
      <Eye size={18} strokeWidth={1.75} aria-hidden />
    </Link>
    <IconButton
      isAtEdge
      icon={PlugZap}
      label={`Tester la connexion à ${site.name}`}
      onClick={() => actions.test(site)}
    />
    <IconButton isAtEdge icon={Pencil} label={`Modifier ${site.name}`} onClick={() => actions.edit(site)} />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${site.name}`} onClick={() => actions.remove(site)} />
  </Group>
);
