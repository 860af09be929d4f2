import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { postMortem } from '@vigie/contracts/incident-story';
import type { Incident } from '@vigie/contracts/incidents';
import { Bell, BellOff, CircleCheck, Hand, Stethoscope } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { sentenceOf } from '../../kit/query/failures';
import { CopyButton } from '../../ui/CopyLine';
import { Dropdown } from '../../ui/Dropdown';
import { Failure } from '../../ui/Failure';
import { useFocusHandOver } from '../../ui/focus';
import { MenuItems } from '../../ui/MenuItems';
import { ownTimeZone } from '../../ui/time-zone';
import { incidentsApi } from './incidents.api';
import { afterClosing, mutedUntil, takenBy } from './words';

type Props = { incident: Incident };

/** The focus moves to the title, as the button goes once somebody looks after the incident. */
function TakeButton({ isBusy, onTake }: { isBusy: boolean; onTake: () => void }) {
  const button = useFocusHandOver<HTMLButtonElement>('#incident');
  return (
    <Button ref={button} leftSection={<Hand size={16} aria-hidden />} loading={isBusy} onClick={onTake}>
      Je m’en occupe
    </Button>
  );
}

const hourMinutes = 60;
/** The longest that the contract allows. */
const monthMinutes = 43_200;
const durations = [
  { label: '1\u00a0heure', minutes: hourMinutes },
  { label: '4\u00a0heures', minutes: 4 * hourMinutes },
  { label: '24\u00a0heures', minutes: 24 * hourMinutes },
  { label: '30\u00a0jours', minutes: monthMinutes },
];

function MuteMenu({ isMuted, onMute }: { isMuted: boolean; onMute: (minutes: number) => void }) {
  return (
    <Dropdown label="Mettre en sourdine" icon={BellOff}>
      {(close) => (
        <MenuItems
          close={close}
          items={[
            ...(isMuted ? [{ label: 'Réactiver', icon: Bell, run: () => onMute(0) }] : []),
            ...durations.map(({ label, minutes }) => ({
              label,
              name: `Mettre en sourdine\u00a0: ${label}`,
              icon: BellOff,
              run: () => onMute(minutes),
            })),
          ]}
        />
      )}
    </Dropdown>
  );
}

function CloseButton({ incident: { id, kind } }: Props) {
  const [isAsking, setAsking] = useState(false);
  const [resolve, call] = incidentsApi.useResolveIncidentMutation();
  const close = async () => {
    const { error } = await resolve({ id });
    if (error === undefined) setAsking(false);
  };
  return (
    <>
      <Button variant="default" leftSection={<CircleCheck size={16} aria-hidden />} onClick={() => setAsking(true)}>
        Clore
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={'Clore cet incident\u202f?'}
          action="Clore"
          color="accent"
          call={call}
          onConfirm={() => void close()}
          onCancel={() => setAsking(false)}
        >
          <p>{`Il passe parmi les incidents terminés. ${afterClosing(kind)}`}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Leads to the repairs of the one site that does not answer. */
function RepairLink({ incident: { kind, cause } }: Props) {
  if (kind !== 'outage' || cause.kind !== 'site' || cause.id === null) return null;
  const page = { to: '/sites/$siteId', params: { siteId: cause.id }, search: { repairs: true } } as const;
  return (
    <Button
      variant="default"
      leftSection={<Stethoscope size={16} aria-hidden />}
      renderRoot={(props) => <Link {...props} {...page} preload={false} />}
    >
      {'Site cassé\u202f?'}
    </Button>
  );
}

/** The link from an incident that was merged to that of its server. */
function WholeLink({ incident: { merged_into: id } }: Props) {
  if (id === null) return null;
  return (
    <Button renderRoot={(props) => <Link {...props} to="/incidents/$incidentId" params={{ incidentId: id }} />}>
      Voir l’incident du serveur
    </Button>
  );
}

function OpenActions({ incident, now }: Props & { now: Date }) {
  const { id } = incident;
  const [take, taking] = incidentsApi.useAcknowledgeIncidentMutation();
  const [mute, muting] = incidentsApi.useMuteIncidentMutation();
  return (
    <>
      {takenBy(incident) === undefined && <TakeButton isBusy={taking.isLoading} onTake={() => void take({ id })} />}
      <MuteMenu isMuted={mutedUntil(incident, now) !== undefined} onMute={(minutes) => void mute({ id, minutes })} />
      <RepairLink incident={incident} />
      <CloseButton key={id} incident={incident} />
      <Failure sentence={sentenceOf(taking.error) ?? sentenceOf(muting.error)} />
    </>
  );
}

type ActionsProps = Props & { now: Date; readAt: number };

/** What can be done about an incident; anybody may copy its story. */
export function IncidentActions({ incident, now, readAt }: ActionsProps) {
  return (
    <Group gap={8}>
      {incident.can_act && incident.state === 'open' && <OpenActions incident={incident} now={now} />}
      <WholeLink incident={incident} />
      <CopyButton
        label="Copier le récit"
        text={postMortem(incident, { timeZone: ownTimeZone, now: new Date(readAt) })}
      />
    </Group>
  );
}
