import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Delivery } from '@vigie/contracts/channels';
import { RotateCw } from 'lucide-react';
import { CodeBox } from '../../ui/CodeBox';
import { Disclosure } from '../../ui/Disclosure';
import links from '../../ui/links.module.css';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { toast } from '../../ui/toasts';
import { channelsApi } from './channels.api';
import { alertKinds, attemptsWords, kindNames, resendOutcome, stateWords } from './words';

type Props = { delivery: Delivery };

/** What the other side answered. */
function Answer({ delivery: { status, answer } }: Props) {
  if (status === null && answer === null) return null;
  return (
    <Disclosure name="Réponse reçue">
      <CodeBox>{[status !== null && `HTTP ${status}`, answer].filter(Boolean).join('\n')}</CodeBox>
    </Disclosure>
  );
}

function Facts({ delivery }: Props) {
  const { state, sent_at: sentAt, created_at: createdAt } = delivery;
  const { tone, word } = stateWords[state];
  const attempts = attemptsWords(delivery);
  return (
    <Group gap="2px 8px" fz={13} c="muted">
      <Status tone={tone}>{word}</Status>
      <TimeAgo at={sentAt ?? createdAt} />
      {attempts !== '' && <span>{attempts}</span>}
    </Group>
  );
}

function Resend({ delivery: { id, title } }: Props) {
  const [resend, { isLoading }] = channelsApi.useResendDeliveryMutation();
  const run = async () => {
    const { data } = await resend({ id });
    if (!data) return;
    const { tone, sentence } = resendOutcome(data);
    if (tone === 'danger') toast.error(sentence);
    else toast.success(sentence);
  };
  return (
    <Button
      variant="default"
      flex="none"
      aria-label={`Renvoyer ${title}`}
      loading={isLoading}
      leftSection={<RotateCw size={16} aria-hidden />}
      onClick={() => void run()}
    >
      Renvoyer
    </Button>
  );
}

const aboutOf = ({ kind, channel, resent_from: resentFrom }: Delivery): string =>
  [alertKinds[kind], `${channel.name} (${kindNames[channel.kind]})`, resentFrom !== null && 'renvoyé']
    .filter(Boolean)
    .join(' · ');

/** A message of a channel, and what became of it. */
export function DeliveryLine({ delivery }: Props) {
  const { title, error, incident_id: incidentId, state } = delivery;
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="8px 16px" px="var(--gutter)" py={10}>
      <Stack gap={2} flex="1 1 320px" miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text fw={600}>{title}</Text>
        <Text variant="note">{aboutOf(delivery)}</Text>
        <Facts delivery={delivery} />
        {error !== null && (
          <Text c="danger" fz={13}>
            {error}
          </Text>
        )}
        {incidentId !== null && (
          <div>
            <Link to="/incidents/$incidentId" params={{ incidentId }} className={links['inline'] ?? ''}>
              Voir l’incident
            </Link>
          </div>
        )}
        <Answer delivery={delivery} />
      </Stack>
      {(state === 'sent' || state === 'failed') && <Resend delivery={delivery} />}
    </Group>
  );
}
