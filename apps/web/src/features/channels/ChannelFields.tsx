import { Group, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type Channel, ChannelKind } from '@vigie/contracts/channels';
import { GroupChoices } from '../../kit/fleet/GroupsField';
import { useGroups } from '../../kit/fleet/groups';
import { useIsAdmin, useUser } from '../../kit/fleet/users';
import { ChoiceLegend } from '../../ui/ChoiceList';
import { LineField } from '../../ui/LineField';
import { SelectField } from '../../ui/SelectField';
import { kindFields } from './kinds';
import type { ChannelForm } from './useChannelForm';
import { isOwnChannel, kindNames, severityChoices } from './words';

type FieldsProps = { form: ChannelForm; channel: Channel | undefined };

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** Only administrators may have an address called for ever. */
const kindsFor = (isAdmin: boolean) =>
  ChannelKind.options
    .filter((value) => value !== 'heartbeat' || isAdmin)
    .map((value) => ({ value, label: kindNames[value] }));

/** The kind of a channel is chosen once: another one would need another address. */
export function KindField({ form, channel }: FieldsProps) {
  const isAdmin = useIsAdmin();
  const { about } = kindFields[form.values.kind];
  if (channel) return <Text variant="note">{`${kindNames[channel.kind]}. ${about}`}</Text>;
  return (
    <SelectField
      data-autofocus
      label="Envoyer par"
      description={about}
      data={kindsFor(isAdmin)}
      {...form.field('kind')}
    />
  );
}

const dots = '••••••••';

function UrlField({ form, channel }: FieldsProps) {
  const { hasUrl, urlAbout } = kindFields[form.values.kind];
  if (!hasUrl) return null;
  return (
    <LineField
      type="url"
      inputMode="url"
      label="Adresse"
      placeholder={channel ? dots : 'https://'}
      description={
        channel ? `Laissez le champ vide pour garder l’adresse enregistrée, chez ${channel.host ?? 'elle'}.` : urlAbout
      }
      maxLength={2_048}
      {...form.field('url')}
    />
  );
}

function SecretField({ form, channel }: FieldsProps) {
  const { secret } = kindFields[form.values.kind];
  if (!secret) return null;
  const isStored = channel?.has_secret === true;
  return (
    <LineField
      label={secret.label}
      placeholder={isStored ? dots : undefined}
      description={isStored ? 'Laissez le champ vide pour garder le secret enregistré.' : secret.about}
      maxLength={256}
      {...form.field('secret')}
    />
  );
}

/** Whom mails go to: a client writes to nobody else. */
function EmailsField({ form, channel }: FieldsProps) {
  const isAdmin = useIsAdmin();
  const user = useUser();
  if (form.values.kind !== 'mail') return null;
  if (!(channel?.is_shared ?? isAdmin))
    return (
      <Text variant="note">
        {!channel || isOwnChannel(channel, user?.id)
          ? `Les messages partent à votre adresse, ${user?.email ?? '…'}.`
          : 'Les messages partent à l’adresse du propriétaire de ce canal.'}
      </Text>
    );
  return (
    <LineField
      inputMode="email"
      label="Adresses email"
      placeholder="Tous les administrateurs"
      description="Séparées par des virgules. Sans adresse, les messages partent à tous les administrateurs."
      {...form.field('emails')}
    />
  );
}

/** Where the messages go. */
export const TargetFields = (props: FieldsProps) => (
  <>
    <UrlField {...props} />
    <SecretField {...props} />
    {props.form.values.kind === 'telegram' && (
      <LineField
        label="Conversation"
        placeholder="-1001234567890"
        description="Le numéro de la conversation, ou le nom public d’une chaîne comme @ma_chaine."
        {...props.form.field('chat_id')}
      />
    )}
    <EmailsField {...props} />
  </>
);

const scopes = [
  { value: 'all', label: 'Tous les sites' },
  { value: 'groups', label: 'Certains groupes' },
];

function ScopeFields({ form }: { form: ChannelForm }) {
  const { lines } = useGroups();
  const { scope, group_ids: ids } = form.values;
  if (lines.length === 0 && scope === 'all') return null;
  return (
    <>
      <SelectField label="Sites concernés" data={scopes} {...form.field('scope')} />
      {scope === 'groups' && (
        <fieldset>
          <ChoiceLegend count={lines.filter(({ group }) => ids.includes(group.id)).length}>
            Groupes concernés
          </ChoiceLegend>
          <GroupChoices lines={[...lines]} value={ids} onChange={(chosen) => form.change({ group_ids: chosen })} />
        </fieldset>
      )}
    </>
  );
}

/** Which incidents are sent. */
export const IncidentFields = ({ form }: { form: ChannelForm }) => (
  <>
    <SelectField label="Incidents à envoyer" data={optionsOf(severityChoices)} {...form.field('min_severity')} />
    {form.values.min_severity !== 'none' && (
      <>
        <ScopeFields form={form} />
        <LineField
          inputMode="numeric"
          label="Attendre, en minutes"
          description="L’incident ne part que si personne ne s’en charge d’ici là. 0 pour l’envoyer tout de suite."
          maxLength={4}
          {...form.field('delay_minutes')}
        />
      </>
    )}
  </>
);

/** When messages may go. */
export const TimeFields = ({ form }: { form: ChannelForm }) => (
  <>
    <fieldset>
      <ChoiceLegend count={0}>Heures calmes</ChoiceLegend>
      <Stack gap={4}>
        <Group gap={12} grow align="flex-start">
          <TextInput type="time" label="Début" {...form.field('quiet_from')} />
          <TextInput type="time" label="Fin" {...form.field('quiet_to')} />
        </Group>
        <Text variant="hint">Pendant ces heures, seuls les incidents critiques partent. Les autres attendent.</Text>
      </Stack>
    </fieldset>
    {form.values.kind === 'mail' && (
      <TextInput
        type="time"
        label="Bulletin du jour"
        description="Un email par jour, à cette heure, sur l’état de vos sites. Sans heure, il n’y en a pas."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.field('digest_at')}
      />
    )}
    <LineField label="Fuseau horaire" maxLength={64} {...form.field('time_zone')} />
  </>
);
