import { Box, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Site } from '@vigie/contracts/sites';
import { type ReactNode, useId } from 'react';
import { useGroups } from '../../kit/fleet/groups';
import { Card as Frame } from '../../ui/Card';
import { Status } from '../../ui/Status';
import { useNow } from '../../ui/useNow';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './sites.module.css';
import { HttpBadge, SiteStatusBadge } from './SiteCells';
import { reasonsOf, spellLastReading, updateState } from './words';

const seconds = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });
const spellMs = (ms: number) => (ms < 1_000 ? `${ms}\u00a0ms` : `${seconds.format(ms / 1_000)}\u00a0s`);

type CardProps = { title: string; aside?: ReactNode; children: ReactNode };

export function Card({ title, aside, children }: CardProps) {
  const heading = useId();
  return (
    <Frame component="section" aria-labelledby={heading} miw={0} px={{ base: 16, sm: 20 }} py={16}>
      <Stack gap={12}>
        <Group justify="space-between" gap={8}>
          <h2 id={heading}>{title}</h2>
          {aside}
        </Group>
        {children}
      </Stack>
    </Frame>
  );
}

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
  const reasons = reasonsOf(site);
  return (
    <Card title="Informations" aside={<SiteStatusBadge site={site} />}>
      {reasons.length > 0 && (
        <Box component="ul" pl={10} fz={13} lh="18px" className={styles['reasons'] ?? ''}>
          {reasons.map((text) => (
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
        <dt>Serveur</dt>
        <dd>
          <ServerLink site={site} />
        </dd>
      </dl>
    </Card>
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
          {http.ms !== null && http.code !== 0 && ` ${spellMs(http.ms)} · `}
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
  const { wpCore, checks, facts: state, problem, read_at: readAt } = site;
  const check = checks?.core;
  const { tone, word } = updateState(check, wpCore.hasUpdate, now);
  return (
    <Card title="WordPress" aside={<Status tone={tone}>{word}</Status>}>
      <Text fz={28} lh="32px" fw={600}>
        {wpCore.version ?? '—'}
        {wpCore.hasUpdate && <Text span c="warn">{` → ${wpCore.new_version ?? 'plus récente'}`}</Text>}
      </Text>
      {check && (
        <Text variant="note">
          {check.checked_at === null ? (
            'Aucune vérification n’a encore réussi.'
          ) : (
            <>
              Dernière vérification réussie <TimeAgo at={check.checked_at} />
            </>
          )}
        </Text>
      )}
      {check && check.error !== null && (
        <Text variant="note" c="warn">{`La dernière a échoué\u00a0: ${check.error}`}</Text>
      )}
      {state && readAt !== null && (
        <Text variant="note">
          {`${spellLastReading({ depth: state.depth, problem })} `}
          <TimeAgo at={readAt} />
        </Text>
      )}
      {children}
    </Card>
  );
}
