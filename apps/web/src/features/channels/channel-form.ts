import {
  type Channel,
  type ChannelKind,
  ChannelChanges,
  channelRefusal,
  CreateChannel,
} from '@vigie/contracts/channels';
import type { Severity } from '@vigie/contracts/incidents';
import { firstErrors, type FormErrors, schemaErrors } from '../../kit/form/errors';
import { kindFields } from './kinds';
import { ownTimeZone } from '../../ui/time-zone';

/** As the fields hold them: texts, empty where nothing is set. */
export type ChannelValues = {
  kind: ChannelKind;
  name: string;
  url: string;
  secret: string;
  chat_id: string;
  emails: string;
  min_severity: Severity | 'none';
  scope: 'all' | 'groups';
  group_ids: readonly string[];
  delay_minutes: string;
  quiet_from: string;
  quiet_to: string;
  time_zone: string;
  digest_at: string;
};

const blank = (): ChannelValues => ({
  kind: 'mail',
  name: '',
  url: '',
  secret: '',
  chat_id: '',
  emails: '',
  min_severity: 'warning',
  scope: 'all',
  group_ids: [],
  delay_minutes: '0',
  quiet_from: '',
  quiet_to: '',
  time_zone: ownTimeZone,
  digest_at: '',
});

export const valuesOf = (channel: Channel | undefined): ChannelValues =>
  channel === undefined
    ? blank()
    : {
        ...blank(),
        kind: channel.kind,
        name: channel.name,
        chat_id: channel.chat_id ?? '',
        emails: channel.emails.join(', '),
        min_severity: channel.min_severity ?? 'none',
        scope: channel.group_ids === null ? 'all' : 'groups',
        group_ids: channel.group_ids ?? [],
        delay_minutes: String(channel.delay_minutes),
        quiet_from: channel.quiet_from ?? '',
        quiet_to: channel.quiet_to ?? '',
        time_zone: channel.time_zone,
        digest_at: channel.digest_at ?? '',
      };

const splitEmails = (text: string): string[] => text.split(/[\s,;]+/).filter((email) => email !== '');

/** What depends on the kind. An empty address or secret keeps the stored one. */
const targetOf = ({ kind, ...values }: ChannelValues) => ({
  ...(kindFields[kind].hasUrl && { url: values.url.trim() }),
  ...(kindFields[kind].secret && { secret: values.secret.trim() }),
  chat_id: kind === 'telegram' ? values.chat_id.trim() || null : null,
  emails: kind === 'mail' ? splitEmails(values.emails) : [],
  digest_at: kind === 'mail' ? values.digest_at || null : null,
});

const isWholeNumber = (text: string): boolean => /^\s*\d+\s*$/.test(text);

/** A channel without incidents needs no groups, and its form shows no field for them. */
const groupsOf = ({ scope, group_ids: ids, min_severity: severity }: ChannelValues) =>
  scope === 'all' || (severity === 'none' && ids.length === 0) ? null : [...ids];

/** A sign of life has no rules: what was typed for another kind stays out. */
const noRules = { min_severity: null, group_ids: null, delay_minutes: 0, quiet_from: null, quiet_to: null };

const rulesOf = (values: ChannelValues) => ({
  min_severity: values.min_severity === 'none' ? null : values.min_severity,
  group_ids: groupsOf(values),
  delay_minutes: isWholeNumber(values.delay_minutes) ? Number(values.delay_minutes) : 0,
  quiet_from: values.quiet_from || null,
  quiet_to: values.quiet_to || null,
});

/** The fields as the server takes them, without those that the channel has none of. */
export const requestOf = (values: ChannelValues) => ({
  name: values.name,
  ...targetOf(values),
  ...(values.kind === 'heartbeat' ? noRules : rulesOf(values)),
  time_zone: values.time_zone.trim(),
});

const delayError = ({
  kind,
  delay_minutes: minutes,
  min_severity: severity,
}: ChannelValues): FormErrors<ChannelValues> =>
  kind === 'heartbeat' || severity === 'none' || isWholeNumber(minutes)
    ? {}
    : { delay_minutes: 'Écrivez un nombre de minutes, 0 pour ne pas attendre.' };

export function channelErrors(values: ChannelValues, isNew: boolean): FormErrors<ChannelValues> {
  const request = requestOf(values);
  if (isNew)
    return firstErrors(delayError(values), schemaErrors(CreateChannel, values, { kind: values.kind, ...request }));
  const refusal = channelRefusal(values.kind, request);
  return firstErrors(
    delayError(values),
    schemaErrors(ChannelChanges, values, request),
    refusal ? { [refusal.field]: refusal.sentence } : {},
  );
}
