import { Link } from '@tanstack/react-router';
import type { SiteColumn } from '@vigie/contracts/site-views';
import { spellUpdates } from '@vigie/contracts/site-words';
import type { HttpStatus, SiteItem } from '@vigie/contracts/sites';
import type { ReactNode } from 'react';
import type { GroupNames } from '../../kit/fleet/groups';
import { useOwnerLabel } from '../../kit/fleet/owners';
import type { Heartbeats } from '../../kit/fleet/uptime';
import { spellUptime } from '../../kit/words/uptime';
import { formatDate } from '../../ui/dates';
import { Heartbeat } from '../../ui/Heartbeat';
import { plural } from '../../ui/plural';
import links from '../../ui/links.module.css';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './sites.module.css';
import { countUpdates, httpLabel, isOldBackup, spellAlarm, spellWork, statuses } from './words';

type Props = { site: SiteItem };
type CellProps = Props & { groupNames: GroupNames; heartbeats: Heartbeats };

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
  const summary = spellUpdates(site.updates);
  return (
    <span title={summary} className={count > 0 ? styles['updates'] : styles['none']}>
      {count}
      {summary !== '' && <VisuallyHidden>{` (${summary})`}</VisuallyHidden>}
    </span>
  );
}

/** The names of a site's groups, with their full paths in a tooltip. */
function Groups({ site, groupNames }: Pick<CellProps, 'site' | 'groupNames'>) {
  const groups = groupNames(site.groups);
  if (groups.length === 0) return '—';
  return <span title={groups.map(({ path }) => path).join('\n')}>{groups.map(({ name }) => name).join(', ')}</span>;
}

const tickStep = 4;
const tickHeight = 16;

/** The last checks, and the uptime of the last day. */
function Uptime({ site: { id }, heartbeats }: CellProps) {
  const heartbeat = heartbeats.get(id);
  if (!heartbeat) return '—';
  return (
    <span className={styles['uptime']}>
      <Heartbeat beats={heartbeat.beats.map((state) => ({ state }))} step={tickStep} height={tickHeight} />
      <span title={'Disponibilité sur 24\u00a0h'}>{spellUptime(heartbeat.uptime_day)}</span>
    </span>
  );
}

const hourMs = 3_600_000;

function Backup({ site: { last_backup_at: at } }: Props) {
  const now = useNow(hourMs);
  if (at === null) return 'Jamais';
  if (!isOldBackup(at, now)) return <TimeAgo at={at} />;
  return (
    <span className={styles['late']}>
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
  uptime: Uptime,
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

/** What goes on at a site, or else what somebody must see to, unless its HTTP badge says it already. */
function SiteNotice({ site, withHttp }: Props & { withHttp: boolean }) {
  if (site.work) {
    const words = spellWork(site.work);
    return (
      <span className={styles['notice']} title={[words, site.work.step].filter(Boolean).join('\n')}>
        <Status tone="info">{words}</Status>
      </span>
    );
  }
  const alarm = spellAlarm(site);
  if (alarm === undefined || (withHttp && alarm === String(site.http?.code))) return null;
  return (
    <span className={styles['notice']} title={site.status_reasons.join('\n')}>
      <Status tone="danger">{alarm}</Status>
    </span>
  );
}

/** Whose a site is, where it is not the user's own. */
function Owner({ site, className }: Props & { className: string | undefined }) {
  const ownerName = useOwnerLabel(site);
  return ownerName !== undefined && <span className={className}>{ownerName}</span>;
}

type NameProps = Props & { withHttp: boolean; withOwner: boolean };

/** The name of a site, whose it is, and what it needs or does now. */
export function SiteName({ site, withHttp, withOwner }: NameProps) {
  return (
    <div className={styles['name']}>
      <SiteLink site={site} />
      {withOwner && <Owner site={site} className={styles['owner']} />}
      <SiteNotice site={site} withHttp={withHttp} />
    </div>
  );
}

/** Labels for values that are unclear without a column head. */
const detailLabels: Partial<Record<SiteColumn, string>> = {
  wp_version: 'WP ',
  php_version: 'PHP ',
  backup: 'Sauvegarde\u00a0: ',
  read: 'Lu ',
};

/** Unknown values are left out of a card. */
const hasValue: Partial<Record<SiteColumn, (site: SiteItem, heartbeats: Heartbeats) => boolean>> = {
  uptime: ({ id }, heartbeats) => (heartbeats.get(id)?.uptime_day ?? null) !== null,
  groups: ({ groups }) => groups.length > 0,
  server: (site) => serverOf(site) !== '—',
  updates: (site) => (countUpdates(site) ?? 0) > 0,
  wp_version: ({ wpCore }) => wpCore.version !== null,
  php_version: ({ php_version: version }) => version !== null,
  read: ({ read_at: at }) => at !== null,
};

function Detail({ column, ...props }: CellProps & { column: SiteColumn }) {
  if (column === 'uptime')
    return `Disponible à\u00a0${spellUptime(props.heartbeats.get(props.site.id)?.uptime_day ?? null)}`;
  return column === 'updates' ? (
    <span title={spellUpdates(props.site.updates)} className={styles['updates']}>
      {plural(countUpdates(props.site) ?? 0, 'mise à jour', 'mises à jour')}
    </span>
  ) : (
    <>
      {detailLabels[column]}
      <Cell column={column} {...props} />
    </>
  );
}

/** Whose the site of a card is, and its columns in one line, the most important first: the others are cut. */
export const Details = ({ columns, ...props }: CellProps & { columns: readonly SiteColumn[] }) => (
  <p className={styles['details']}>
    <Owner site={props.site} className={styles['detail']} />
    {columns
      .filter((column) => hasValue[column]?.(props.site, props.heartbeats) ?? true)
      .map((column) => (
        <span key={column} className={styles['detail']}>
          <Detail column={column} {...props} />
        </span>
      ))}
  </p>
);

/** The status of a site, with its reasons in a tooltip. */
export function SiteStatusBadge({ site }: { site: Pick<SiteItem, 'status' | 'status_reasons'> }) {
  const { tone, word } = statuses[site.status];
  return (
    <span title={site.status_reasons.join('\n') || undefined}>
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
