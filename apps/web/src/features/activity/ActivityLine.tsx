import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ActivityItem, ActivityType } from '@vigie/contracts/activity';
import {
  ArrowUpCircle,
  CircleDot,
  Inbox,
  KeyRound,
  LogIn,
  type LucideIcon,
  PackagePlus,
  Pencil,
  Plus,
  Power,
  PowerOff,
  Settings,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { JobLink } from '../../kit/job/JobLink';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './activity.module.css';
import { activityBadge, activityLocation, type BadgeWord, describeActivity, endBadge, proposalOf } from './words';

type TimeProps = { at: string; jobId: string | null; proposalId: string | null };

/** The time of an event, as a link to its proposal or its job if it has one. */
export function ActivityTime({ at, jobId, proposalId }: TimeProps) {
  if (proposalId !== null)
    return (
      <Link to="/proposals/$proposalId" params={{ proposalId }} className={links['within'] ?? ''}>
        <VisuallyHidden>Voir la proposition, </VisuallyHidden>
        <TimeAgo at={at} />
      </Link>
    );
  if (jobId === null) return <TimeAgo at={at} />;
  return (
    <JobLink id={jobId} className={links['within'] ?? ''}>
      <VisuallyHidden>Voir la tâche, </VisuallyHidden>
      <TimeAgo at={at} />
    </JobLink>
  );
}

function LocationLink({ item, children }: { item: ActivityItem; children: ReactNode }) {
  const location = activityLocation(item);
  const className = links['within'] ?? '';
  if (!location) return children;
  if ('serverId' in location) {
    return (
      <Link to="/servers" search={{ open: location.serverId }} className={className}>
        {children}
      </Link>
    );
  }
  return (
    <Link to="/sites/$siteId" params={{ siteId: location.siteId }} className={className}>
      {children}
    </Link>
  );
}

/** `times` counts the same action of the same person, of which this was the latest. */
export function ActivityLine({ item, times = 1 }: { item: ActivityItem; times?: number }) {
  const { actor, action, target, complement, location, reason } = describeActivity(item);
  const end = endBadge(item);
  return (
    <div className={styles['line']}>
      <div>
        <p>
          <strong>{actor}</strong> {action}{' '}
          {target &&
            (location === '' ? (
              <LocationLink item={item}>
                <strong>{target}</strong>
              </LocationLink>
            ) : (
              <strong>{target}</strong>
            ))}{' '}
          {complement} {times > 1 && plural(times, 'fois', 'fois')}{' '}
          {location && (
            <>
              sur <LocationLink item={item}>{location}</LocationLink>
            </>
          )}
        </p>
        {reason && <Text variant="note">{reason}</Text>}
      </div>
      <div className={styles['facts']}>
        <ActivityBadge type={item.type} />
        {end && <Status tone={end.tone}>{end.word}</Status>}
        <ActivityTime at={item.created_at} jobId={item.job_id} proposalId={proposalOf(item)} />
      </div>
    </div>
  );
}

// Not the icons of states: those would mean that the action is running or has failed.
const icons: Readonly<Record<BadgeWord, LucideIcon>> = {
  'Mise à jour': ArrowUpCircle,
  Suppression: Trash2,
  Installation: PackagePlus,
  Activation: Power,
  Désactivation: PowerOff,
  Connexion: LogIn,
  Sécurité: KeyRound,
  Paramètres: Settings,
  Ajout: Plus,
  Modification: Pencil,
  Proposition: Inbox,
  Action: CircleDot,
};

export function ActivityBadge({ type }: { type: ActivityType }) {
  const { tone, word } = activityBadge(type);
  return (
    <Status tone={tone} icon={icons[word]}>
      {word}
    </Status>
  );
}
