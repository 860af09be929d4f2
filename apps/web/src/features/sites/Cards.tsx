import { Box, Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Site } from '@vigie/contracts/sites';
import type { ReactNode } from 'react';
import { isOwn } from '../../kit/fleet/roles';
import { useGroups } from '../../kit/fleet/groups';
import { formatMs } from '../../ui/dates';
import { SectionCard } from '../../ui/SectionCard';
import { Status } from '../../ui/Status';
import { useNow } from '../../ui/useNow';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './sites.module.css';
import { HttpBadge, SiteStatusBadge } from './SiteCells';
import { isOldBackup, updateState } from './words';

function GroupLinks({ ids }: { ids: readonly string[] }) {
  const { groups } = useGroups();
  const siteGroups = groups.filter(({ id }) => ids.includes(id));
  if (siteGroups.length === 0) return 'Aucun';
  return (
    <Group component="span" gap="2px 12px">
      {siteGroups.map(({ id, name }) => (
        <Link key={id} to="/sites" search={{ group: id }}>
          {name}
        </Link>
      ))}
    </Group>
  );
}

export function InfoCard({ site }: { site: Site }) {
  return (
    <SectionCard title="Informations" aside={<SiteStatusBadge site={site} />}>
      {site.status_reasons.length > 0 && (
        <Box component="ul" pl={10} fz={13} lh="18px" className={styles['reasons'] ?? ''}>
          {site.status_reasons.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </Box>
      )}
      <dl className={styles['facts']}>
        <dt>Nom</dt>
        <dd>{site.name}</dd>
        <dt>URL</dt>
        <dd>
          <a href={site.url} target="_blank" rel="noopener noreferrer">
            {site.url}
          </a>
        </dd>
        <dt>HTTP</dt>
        <dd>
          <Http http={site.http} />
        </dd>
        <dt>Groupes</dt>
        <dd>
          <GroupLinks ids={site.groups} />
        </dd>
        {isOwn(site) && (
          <>
            <dt>Serveur</dt>
            <dd>
              <ServerLink site={site} />
            </dd>
          </>
        )}
      </dl>
    </SectionCard>
  );
}

function ServerLink({ site }: { site: Site }) {
  const { server_id: serverId, server_name: name, effective } = site.connection.ssh;
  if (serverId === null) return effective?.host ?? '—';
  return (
    <Link to="/servers" search={{ open: serverId }}>
      {name}
    </Link>
  );
}

function Http({ http }: Pick<Site, 'http'>) {
  return (
    <>
      <HttpBadge http={http} />
      {http && (
        <Text span variant="note">
          {http.ms !== null && http.code !== 0 && ` ${formatMs(http.ms)} · `}
          vu <TimeAgo at={http.checked_at} />
        </Text>
      )}
    </>
  );
}

const minuteMs = 60_000;

/** Shows the version of WordPress; after a failed check it is never called up to date. */
export function CoreCard({ site, children }: { site: Site; children: ReactNode }) {
  const now = useNow(minuteMs);
  const { wpCore, checks } = site;
  const { tone, word } = updateState(checks?.core, wpCore.hasUpdate, now);
  return (
    <SectionCard title="WordPress" aside={<Status tone={tone}>{word}</Status>}>
      <Text fz={28} lh="32px" fw={600}>
        {wpCore.version ?? '—'}
        {wpCore.hasUpdate && <Text span c="update">{` → ${wpCore.new_version ?? 'plus récente'}`}</Text>}
      </Text>
      {children}
    </SectionCard>
  );
}

const hourMs = 3_600_000;

/** The last backup, without asking the host. */
export function BackupCard({ site: { id, last_backup_at: at } }: { site: Site }) {
  const now = useNow(hourMs);
  const isOld = at !== null && isOldBackup(at, now);
  const state =
    at === null ? ({ tone: 'warn', word: 'Aucune' } as const) : isOld && ({ tone: 'warn', word: 'Ancienne' } as const);
  return (
    <SectionCard title="Dernière sauvegarde" aside={state && <Status tone={state.tone}>{state.word}</Status>}>
      <p>{at === null ? 'Vigie n’a encore aucune sauvegarde de ce site.' : <TimeAgo at={at} />}</p>
      <div>
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/sites/$siteId/backups" params={{ siteId: id }} search={{}} />}
        >
          Voir les sauvegardes
        </Button>
      </div>
    </SectionCard>
  );
}
