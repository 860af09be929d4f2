import { missingFields, type Server } from '@vigie/contracts/servers';
import { useState } from 'react';
import { parsePort, emptyCredentials } from '../../kit/form/credentials';
import { reportFailure } from '../../kit/query/failures';
import { useCheckedForm } from '../../kit/form/useCheckedForm';
import { parseSshTarget } from './address';
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

const saveFailed = "Échec de l'enregistrement du serveur.";

/** Splits an `ssh` command typed as the host, and replaces an invalid port by the default one. */
function normalize(values: Values): Values {
  const host = parseSshTarget(values.host);
  const settled = { ...values, ...host };
  return settled.port.trim() === '' ? settled : { ...settled, port: String(parsePort(settled.port)) };
}

const isMissing = ({ name, host }: Values) => name.trim() === '' || host.trim() === '';

function useSave(server: Server | undefined) {
  const [createServer, creation] = serversApi.useCreateServerMutation();
  const [editServer, edition] = serversApi.useEditServerMutation();
  const save = async (values: Values) => {
    if (server) return editServer(changesOf(server, values));
    const body = creationOf(values);
    const created = await createServer(body);
    return created;
  };
  return { save, isSaving: creation.isLoading || edition.isLoading };
}

export type Saved = { server: Server; values: Values; isNew: boolean };

/** Keeps the server as it was when the form opened, even if the list is read again. */
export function useServerForm(stored: Server | undefined, focus: (field: Field) => void) {
  const [server] = useState(stored);
  const { save, isSaving } = useSave(server);
  const {
    finish,
    setRefusal: refuse,
    ...form
  } = useCheckedForm<Values, Field>({
    name: `server ${server?.id ?? 'new'}`,
    initial: server ? valuesOf(server) : blank,
    secrets: emptyCredentials,
    fields,
    normalize,
    validate: (values) => checkServer(server, values),
    validateForm: (values) => (isMissing(values) ? missingFields : undefined),
    isChanged: (values) => isChanged(server, values),
    focus,
  });
  const submit = async (): Promise<Saved | undefined> => {
    const settled = finish();
    if (!settled || isSaving) return undefined;
    if (server && !isChanged(server, settled)) return { server, values: settled, isNew: false };
    const { data, error } = await save(settled);
    if (data) return { server: data, values: settled, isNew: !server };
    refuse(reportFailure(error, saveFailed));
    return undefined;
  };
  return { ...form, server, isSaving, submit };
}

export type ServerForm = ReturnType<typeof useServerForm>;
