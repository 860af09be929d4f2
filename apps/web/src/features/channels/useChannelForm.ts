import type { Channel } from '@vigie/contracts/channels';
import { useState } from 'react';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { toast } from '../../ui/toasts';
import { type ChannelValues, channelErrors, requestOf, valuesOf } from './channel-form';
import { channelsApi } from './channels.api';

const secrets = { url: '', secret: '' };

/** Vigie makes a secret for a webhook that was given none, and shows it once. */
const needsSecret = ({ kind, secret }: ChannelValues): boolean => kind === 'webhook' && secret.trim() === '';

/** The form of a channel, and the secret that Vigie made for a new webhook: null if its only answer was lost. */
export function useChannelForm(stored: Channel | undefined, onSaved: () => void) {
  // Keeps the channel as it was when the dialog opened, even if the list is read again.
  const [channel] = useState(stored);
  const [initial] = useState(() => valuesOf(stored));
  const [create, creation] = channelsApi.useCreateChannelMutation();
  const [edit, edition] = channelsApi.useEditChannelMutation();
  const [madeSecret, setMadeSecret] = useState<string | null>();
  const form = useDraftForm<ChannelValues>({
    name: `channel ${channel?.id ?? 'new'}`,
    initial,
    secrets,
    normalize: (values) => ({ ...values, name: values.name.trim() }),
    validate: (values) => channelErrors(values, channel === undefined),
    isChanged: (values) => JSON.stringify(values) !== JSON.stringify(initial),
  });
  const add = async (values: ChannelValues) => {
    const { data } = await create({ kind: values.kind, ...requestOf(values) });
    if (!data) return;
    toast.success(`Canal ${data.name} ajouté.`);
    if (data.secret !== null || needsSecret(values)) setMadeSecret(data.secret);
    else onSaved();
  };
  const change = async (id: string, values: ChannelValues) => {
    const { data } = await edit({ id, ...requestOf(values) });
    if (!data) return;
    toast.success(`Canal ${data.name} enregistré.`);
    onSaved();
  };
  const save = form.submit((values) => (channel ? change(channel.id, values) : add(values)));
  return { channel, form, save, call: channel ? edition : creation, madeSecret };
}

export type ChannelForm = ReturnType<typeof useChannelForm>['form'];
