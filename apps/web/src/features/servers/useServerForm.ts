import { missingFields, type Server } from '@vigie/contracts/servers';
import { useState } from 'react';
import { portOf, secrets } from '../../app/access';
import { tellFailure } from '../../app/tellFailure';
import { useCheckedForm } from '../../app/useCheckedForm';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { readTarget } from './address';
import { serversApi } from './servers.api';
import {
  blank,
  changesOf,
  checkServer,
  creationOf,
  type Field,
  fields,
  isChanged,
  type Values,
  valuesOf,
} from './values';

const failed = "Échec de l'enregistrement du serveur.";

/** The fields as they are sent: a port that is none is the usual one, a whole `ssh` line is three fields. */
function settle(values: Values): Values {
  const host = readTarget(values.host);
  const settled = { ...values, ...host };
  return settled.port.trim() === '' ? settled : { ...settled, port: String(portOf(settled.port)) };
}

const isMissing = ({ name, host }: Values) => name.trim() === '' || host.trim() === '';

function useSave(server: Server | undefined) {
  const [createServer, creation] = serversApi.useCreateServerMutation();
  const [editServer, edition] = serversApi.useEditServerMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const save = async (values: Values) => {
    if (server) return editServer(changesOf(server, values));
    const body = creationOf(values);
    const made = await createServer({ server: body, idempotencyKey: keyFor(body) });
    if (made.data) renewKey();
    return made;
  };
  return { save, isSaving: creation.isLoading || edition.isLoading };
}

export type Saved = { server: Server; values: Values; isNew: boolean };

/** Of one server, or of another one; what is stored may change behind it, what it began with does not. */
export function useServerForm(stored: Server | undefined, focus: (field: Field) => void) {
  const [server] = useState(stored);
  const { save, isSaving } = useSave(server);
  const { finish, refuse, ...form } = useCheckedForm<Values, Field>({
    name: `server ${server?.id ?? 'new'}`,
    begin: server ? valuesOf(server) : blank,
    secrets,
    fields,
    settle,
    check: (values) => checkServer(server, values),
    missing: (values) => (isMissing(values) ? missingFields : undefined),
    isChanged: (values) => isChanged(server, values),
    focus,
  });
  const submit = async (): Promise<Saved | undefined> => {
    const settled = finish();
    if (!settled || isSaving) return undefined;
    if (server && !isChanged(server, settled)) return { server, values: settled, isNew: false };
    const { data, error } = await save(settled);
    if (data) return { server: data, values: settled, isNew: !server };
    refuse(tellFailure(error, failed));
    return undefined;
  };
  return { ...form, server, isSaving, submit };
}

export type ServerForm = ReturnType<typeof useServerForm>;
