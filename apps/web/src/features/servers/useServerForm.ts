import { missingFields, type Server } from '@vigie/contracts/servers';
import { useState } from 'react';
import { parsePort, emptyCredentials } from '../../kit/form/credentials';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { parseSshTarget } from './address';
import { serversApi } from './servers.api';
import { blank, changesOf, checkServer, creationOf, isChanged, type Values, valuesOf } from './values';

/** Splits an `ssh` command typed as the host, and replaces an invalid port by the default one. */
function normalize(values: Values): Values {
  const host = parseSshTarget(values.host);
  const settled = { ...values, ...host };
  return settled.port.trim() === '' ? settled : { ...settled, port: String(parsePort(settled.port)) };
}

const isMissing = ({ name, host }: Values) => name.trim() === '' || host.trim() === '';

export type Saved = { server: Server; values: Values; isNew: boolean };

/** Keeps the server as it was when the form opened, even if the list is read again. */
export function useServerForm(stored: Server | undefined, onSaved: (saved: Saved) => void) {
  const [server] = useState(stored);
  const [createServer, creation] = serversApi.useCreateServerMutation();
  const [editServer, edition] = serversApi.useEditServerMutation();
  const form = useDraftForm<Values>({
    name: `server ${server?.id ?? 'new'}`,
    initial: server ? valuesOf(server) : blank,
    secrets: emptyCredentials,
    normalize,
    validate: (values) => ({
      ...checkServer(server, values),
      ...(isMissing(values) && { form: missingFields }),
    }),
    isChanged: (values) => isChanged(server, values),
  });
  const save = async (values: Values) => {
    if (server && !isChanged(server, values)) return onSaved({ server, values, isNew: false });
    const { data } = await (server ? editServer(changesOf(server, values)) : createServer(creationOf(values)));
    if (data) onSaved({ server: data, values, isNew: !server });
  };
  return { ...form, server, call: server ? edition : creation, save: form.submit(save) };
}

export type ServerForm = ReturnType<typeof useServerForm>;
