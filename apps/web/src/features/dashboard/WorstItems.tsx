import { Button, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { TodoGroup } from '@vigie/contracts/dashboard';
import type { ReactElement, ReactNode } from 'react';
import { toJob } from '../../kit/job/JobLink';
import { formatAlert } from '../../kit/words/alerts';
import { proposalTitle } from '../../kit/words/proposals';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './dashboard.module.css';
import type { CanOperate } from './TodoAction';

type WorstItem<K extends TodoGroup['kind']> = Extract<TodoGroup, { kind: K }>['worst'][number];
export type FailedJob = WorstItem<'jobs_failed'>;

type ItemProps = { to: LinkProps; name: string; children?: ReactNode };

const Item = ({ to, name, children }: ItemProps) => (
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

const siteLink = (id: string): LinkProps => ({ to: '/sites/$siteId', params: { siteId: id } });
const backupsLink = (id: string): LinkProps => ({ to: '/sites/$siteId/backups', params: { siteId: id } });

type BrokenSiteProps = { site: WorstItem<'sites_down'>; canOperate: CanOperate };

/** A broken site, with a way to the page that finds out why. */
function BrokenSite({ site: { id, name, reason }, canOperate }: BrokenSiteProps) {
  const repairs: LinkProps = { ...siteLink(id), search: { repairs: true } };
  return (
    <li className={styles['broken']}>
      <Link {...siteLink(id)} className={links['within'] ?? ''}>
        {name}
      </Link>
      <Text span truncate flex={1} miw={0} c="muted" title={reason ?? undefined}>
        {reason}
      </Text>
      {canOperate(id) && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Regarder ${name}`}
          renderRoot={(props) => <Link {...props} {...repairs} />}
        >
          Regarder
        </Button>
      )}
    </li>
  );
}

const toProposal = ({ id, created_at: at, ...proposal }: WorstItem<'proposals'>): ReactElement => (
  <Item key={id} to={{ to: '/proposals/$proposalId', params: { proposalId: id } }} name={proposalTitle(proposal)}>
    <TimeAgo at={at} />
  </Item>
);

type Props = { line: TodoGroup; canOperate: CanOperate; nameOf: (job: FailedJob) => string };

/** The worst items of a kind, each a link to the screen where it can be solved. */
function itemsOf({ line, canOperate, nameOf }: Props): ReactElement[] {
  if (line.kind === 'sites_down')
    return line.worst.map((site) => <BrokenSite key={site.id} site={site} canOperate={canOperate} />);
  if (line.kind === 'servers_in_alert') {
    return line.worst.map(({ id, name, alerts }) => (
      <Item key={id} to={{ to: '/servers/$serverId', params: { serverId: id } }} name={name}>
        {alerts.map(formatAlert).join(', ')}
      </Item>
    ));
  }
  if (line.kind === 'jobs_failed') {
    return line.worst.map((job) => (
      <Item key={job.id} to={toJob(job.id)} name={nameOf(job)}>
        {job.is_undone && 'annulée, site rétabli · '}
        <TimeAgo at={job.finished_at} />
      </Item>
    ));
  }
  if (line.kind === 'proposals') return line.worst.map(toProposal);
  if (line.kind === 'backups_never') {
    return line.worst.map(({ id, name }) => <Item key={id} to={backupsLink(id)} name={name} />);
  }
  if (line.kind === 'backups_late') {
    return line.worst.map(({ id, name, last_backup_at: at }) => (
      <Item key={id} to={backupsLink(id)} name={name}>
        <TimeAgo at={at} />
      </Item>
    ));
  }
  return line.worst.map(({ id, name, updates }) => (
    <Item key={id} to={siteLink(id)} name={name}>
      {plural(updates, 'mise à jour', 'mises à jour')}
    </Item>
  ));
}

/** The worst items, and what stands after them. */
export const WorstItems = ({ children, ...props }: Props & { children: ReactNode }) => (
  <ul className={styles['worst']}>
    {itemsOf(props)}
    {children && <li>{children}</li>}
  </ul>
);
