import type { Server } from '@vigie/contracts/servers';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { readTarget } from './address';
import { serversApi } from './servers.api';
import {
  blank,
  changesOf,
  checkServer,
  creationOf,
  type Errors,
  type Field,
  fields,
  isChanged,
  missingFields,
  portOf,
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
  const [values, setValues] = useState(() => (server ? valuesOf(server) : blank));
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string>();
  const isDirty = isChanged(server, values);
  const change = (changes: Partial<Values>) => {
    const next = { ...values, ...changes };
    const found = checkServer(server, next);
    setValues(next);
    if (!isMissing(next)) setFailure((shown) => (shown === missingFields ? undefined : shown));
    // What is not wrong yet is not called wrong while it is being typed.
    setErrors((shown) => Object.fromEntries(Object.keys(shown).flatMap((field) => pick(found, field))));
  };
  const leave = (field: Field) => {
    const settled = settle(values);
    setValues(settled);
    if (isDirty) setErrors((shown) => ({ ...shown, [field]: checkServer(server, settled)[field] }));
  };
  const submit = async (): Promise<Saved | undefined> => {
    const settled = settle(values);
    const found = checkServer(server, settled);
    const first = fields.find((field) => found[field] !== undefined);
    setValues(settled);
    setErrors(found);
    setFailure(isMissing(settled) ? missingFields : undefined);
    if (first) focus(first);
    if (first || isSaving) return undefined;
    if (server && !isChanged(server, settled)) return { server, values: settled, isNew: false };
    const { data, error } = await save(settled);
    if (data) return { server: data, values: settled, isNew: !server };
    setFailure(tellFailure(error, failed));
    return undefined;
  };
  return { server, values, errors, failure, isDirty, isSaving, change, leave, submit };
}

const pick = (errors: Errors, name: string) =>
  fields.flatMap((field) => (field === name ? [[field, errors[field]]] : []));

export type ServerForm = ReturnType<typeof useServerForm>;
