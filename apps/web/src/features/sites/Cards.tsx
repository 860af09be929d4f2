import { Link } from '@tanstack/react-router';
import type { Site } from '@vigie/contracts/sites';
import { type ReactNode, useId } from 'react';
import { useGroups } from '../../kit/fleet/groups';
import { Status } from '../../ui/Status';
import { useNow } from '../../ui/useNow';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './Cards.module.css';
import { HttpBadge, SiteStatusBadge } from './SiteStatusBadge';
import { reasonsOf, spellLastReading, updateState } from './words';

const seconds = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });
const spellMs = (ms: number) => (ms < 1_000 ? `${ms}\u00a0ms` : `${seconds.format(ms / 1_000)}\u00a0s`);

type CardProps = { title: string; aside?: ReactNode; children: ReactNode };

export function Card({ title, aside, children }: CardProps) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={styles['card']}>
      <div className={styles['head']}>
        <h2 id={heading}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

function GroupLinks({ ids }: { ids: readonly string[] }) {
  const { groups } = useGroups();
  const siteGroups = groups.filter(({ id }) => ids.includes(id));
  if (siteGroups.length === 0) return 'Aucun';
  return (
    <span className={styles['links']}>
      {siteGroups.map(({ id, name }) => (
        <Link key={id} to="/sites" search={{ group: id }}>
          {name}
        </Link>
      ))}
    </span>
  );
}

export function InfoCard({ site }: { site: Site }) {
  const { ssh } = site.connection;
  const reasons = reasonsOf(site);
  return (
    <Card title="Informations" aside={<SiteStatusBadge site={site} />}>
      {reasons.length > 0 && (
        <ul className={styles['reasons']}>
          {reasons.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
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
          <HttpBadge http={site.http} />
          {site.http && (
            <span className={styles['age']}>
              {site.http.ms !== null && site.http.code !== 0 && ` ${spellMs(site.http.ms)} · `}
              vu <TimeAgo at={site.http.checked_at} />
            </span>
          )}
        </dd>
        <dt>Groupes</dt>
        <dd>
          <GroupLinks ids={site.groups} />
        </dd>
        <dt>Serveur</dt>
        <dd>
          {ssh.server_id === null ? (
            (ssh.effective?.host ?? '—')
          ) : (
            <Link to="/servers" search={{ open: ssh.server_id }}>
              {ssh.server_name}
            </Link>
          )}
        </dd>
      </dl>
    </Card>
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
      <p className={styles['version']}>
        {wpCore.version ?? '—'}
        {wpCore.hasUpdate && <span>{` → ${wpCore.new_version ?? 'plus récente'}`}</span>}
      </p>
      {check && (
        <p className={styles['age']}>
          {check.checked_at === null ? (
            'Aucune vérification n’a encore réussi.'
          ) : (
            <>
              Dernière vérification réussie <TimeAgo at={check.checked_at} />
            </>
          )}
        </p>
      )}
      {check && check.error !== null && (
        <p className={styles['failed']}>{`La dernière a échoué\u00a0: ${check.error}`}</p>
      )}
      {state && readAt !== null && (
        <p className={styles['age']}>
          {`${spellLastReading({ depth: state.depth, problem })} `}
          <TimeAgo at={readAt} />
        </p>
      )}
      {children}
    </Card>
  );
}
