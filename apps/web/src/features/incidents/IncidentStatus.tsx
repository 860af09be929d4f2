import { Group } from '@mantine/core';
import { stateWord } from '@vigie/contracts/incident-words';
import type { IncidentItem } from '@vigie/contracts/incidents';
import { Activity, BellOff, Info, UserCheck } from 'lucide-react';
import { Status } from '../../ui/Status';
import { mutedUntil, stateTone, takenBy } from './words';

/** How bad an incident is or how it ended, and whether it comes and goes. */
export function IncidentStatus({ incident }: { incident: IncidentItem }) {
  const tone = stateTone(incident);
  return (
    <>
      {incident.is_flapping && incident.state === 'open' && (
        <Status tone="warn" icon={Activity}>
          Instable
        </Status>
      )}
      <Status tone={tone} {...(tone === 'info' && { icon: Info })}>
        {stateWord(incident)}
      </Status>
    </>
  );
}

/** Who looks after it, and until when nobody is told about it. */
export function IncidentMarks({ incident, now }: { incident: IncidentItem; now: Date }) {
  const marks = [
    { icon: UserCheck, text: takenBy(incident) },
    { icon: BellOff, text: mutedUntil(incident, now) },
  ].filter(({ text }) => text !== undefined);
  if (marks.length === 0) return null;
  return (
    <Group gap="2px 16px" fz={13}>
      {marks.map(({ icon: Icon, text }) => (
        <Group key={text} gap={6} wrap="nowrap" component="span">
          <Icon size={14} aria-hidden style={{ flex: 'none' }} />
          {text}
        </Group>
      ))}
    </Group>
  );
}
