import { Button, Group, Text } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Summary } from '@vigie/contracts/dashboard';
import { FolderTree, type LucideIcon, PackageOpen, PanelsTopLeft, Server } from 'lucide-react';
import { failureMessage } from '../../kit/query/failures';
import { Card } from '../../ui/Card';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import styles from './dashboard.module.css';
import { useSummary } from './dashboard.api';
import { formatCount, countUpdates } from './words';

type Props = { to: LinkProps; icon: LucideIcon; label: string; count: number | null | undefined; more?: string };

const Tile = ({ to, icon: Icon, label, count, more }: Props) => (
  <li>
    <Card className={styles['tile']} renderRoot={(props) => <Link {...props} {...to} />}>
      <Group component="span" wrap="nowrap" gap={6} c="muted" fw={500} style={{ whiteSpace: 'nowrap' }}>
        <Icon size={16} strokeWidth={1.75} style={{ flex: 'none' }} aria-hidden />
        {label}
      </Group>
      <span className={styles['count']}>{formatCount(count)}</span>
      {more !== undefined && (
        <Text span variant="note">
          {more}
        </Text>
      )}
    </Card>
  </li>
);

/** "core 1 · plugins 12 · thèmes 2 — 5 sites". */
function formatUpdates({ updates, sites_with_updates: sites }: Summary): string {
  if (sites === null) return 'aucun site n’a encore été lu';
  const { core, plugins, themes } = updates;
  const parts = [`core ${formatCount(core)}`, `plugins ${formatCount(plugins)}`, `thèmes ${formatCount(themes)}`];
  return `${parts.join(' · ')} — ${plural(sites, 'site', 'sites')}`;
}

/** The counts in one row, each a link to its list. */
export function Tiles() {
  const { data, error, isFetching, refetch } = useSummary();
  const { counts, updates } = data ?? {};
  return (
    <section id="summary" aria-label="Vue d’ensemble">
      <Failure sentence={failureMessage(error, 'Les totaux n’ont pas pu être lus.')}>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Recompter
        </Button>
      </Failure>
      <ul className={styles['tiles']} aria-busy={!data && isFetching}>
        <Tile to={{ to: '/sites' }} icon={PanelsTopLeft} label="Sites" count={counts?.sites} />
        <Tile to={{ to: '/groups' }} icon={FolderTree} label="Groupes" count={counts?.groups} />
        <Tile to={{ to: '/servers' }} icon={Server} label="Serveurs" count={counts?.servers} />
        <Tile
          to={{ to: '/sites', search: { q: 'maj:oui', sort: '-updates' } }}
          icon={PackageOpen}
          label="Mises à jour"
          count={countUpdates(updates)}
          {...(data && { more: formatUpdates(data) })}
        />
      </ul>
    </section>
  );
}
