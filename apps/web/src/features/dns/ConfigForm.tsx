import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import {
  type DnsConfig,
  type DnsPermission,
  type DnsValidation,
  dnsPermissionNames,
} from '@vigie/contracts/dns-config';
import { KeyRound, Ticket } from 'lucide-react';
import { useState } from 'react';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Choices } from '../../ui/Choices';
import { Failure } from '../../ui/Failure';
import { Section } from '../../ui/Section';
import { Status } from '../../ui/Status';
import { toast } from '../../ui/toasts';
import { changesOf, creationOf, findErrors, type Mode, type Values, validationOf, valuesOf } from './config';
import { tabOf, ZonesSearch } from './search';
import { permissionStates } from './words';
import { zonesApi } from './zones.api';

/** The form of the Cloudflare credentials: they can be validated before they are saved. */
function useConfigForm(config: DnsConfig, onSaved: () => void) {
  const [stored] = useState(config);
  const [create, creation] = zonesApi.useCreateDnsConfigMutation();
  const [edit, edition] = zonesApi.useEditDnsConfigMutation();
  const [validate, validation] = zonesApi.useValidateDnsConfigMutation();
  const form = useDraftForm<Values>({
    name: 'cloudflare',
    checksOnLeave: 'none',
    initial: valuesOf(stored),
    secrets: { api_key: '' },
    validate: (values) => findErrors(stored, values),
    isChanged: (values) =>
      Object.keys(changesOf(stored, values)).some((field) => field !== 'mode' || stored.has_config),
    onChange: validation.reset,
  });
  const saving = stored.has_config ? edition : creation;
  const save = async (values: Values) => {
    if (saving.isLoading) return;
    validation.reset();
    if (stored.has_config && !form.isDirty) return onSaved();
    const { data } = await (stored.has_config ? edit(changesOf(stored, values)) : create(creationOf(values)));
    if (!data) return;
    toast.success('Configuration enregistrée.');
    onSaved();
  };
  const test = async (values: Values) => {
    if (validation.isLoading) return;
    if (!saving.isLoading) saving.reset();
    await validate(validationOf(stored, values));
  };
  return {
    ...form,
    failure: sentenceOf(saving.error ?? validation.error),
    validated: validation.data,
    isValidating: validation.isLoading,
    isSaving: saving.isLoading,
    save: form.submit(save),
    test: form.submit(test),
  };
}

const modes = [
  { value: 'api_token', label: 'Jeton d’API (conseillé)', icon: Ticket },
  { value: 'global_key', label: 'Email et clé API', icon: KeyRound },
] as const;

const keyHints: Readonly<Record<Mode, string>> = {
  api_token:
    'Dans Cloudflare\u00a0: Mon profil → Jetons d’API → Créer un jeton, avec le modèle «\u00a0Modifier la zone DNS\u00a0».',
  global_key: 'Dans Cloudflare\u00a0: Mon profil → Jetons d’API → Global API Key.',
};

/** The answer of Cloudflare to the typed credentials. */
export function ValidationResult({ validation }: { validation: DnsValidation | undefined }) {
  return (
    <output>
      {validation && (
        <>
          <Callout tone={validation.valid ? (validation.message === null ? 'ok' : 'warn') : 'danger'}>
            <p>{validation.message ?? 'Cloudflare accepte ces accès.'}</p>
          </Callout>
          <Permissions permissions={validation.permissions} />
        </>
      )}
    </output>
  );
}

type FieldsProps = {
  form: ReturnType<typeof useConfigForm>;
  hasStoredKey: boolean;
};

function Fields({ form: { values, field, change }, hasStoredKey }: FieldsProps) {
  const isToken = values.mode === 'api_token';
  const plainTextProps = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <>
      <Choices legend="Connexion" choices={modes} value={values.mode} onChange={(mode) => change({ mode })} />
      {!isToken && (
        <TextInput
          type="email"
          inputMode="email"
          label="Email"
          maxLength={254}
          {...field('email')}
          {...plainTextProps}
        />
      )}
      <TextInput
        label={isToken ? 'Jeton d’API' : 'Clé API'}
        placeholder={hasStoredKey ? '••••••••' : undefined}
        description={hasStoredKey ? 'Laissez le champ vide pour garder ce qui est enregistré.' : keyHints[values.mode]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={512}
        {...field('api_key')}
        {...plainTextProps}
      />
      <Textarea label="Notes" placeholder="Facultatif" rows={3} maxLength={2_000} {...field('notes')} />
    </>
  );
}

type Props = { config: DnsConfig; onSaved: () => void; onCancel: () => void };

/** The server never returns the stored key. */
export function ConfigForm({ config, onSaved, onCancel }: Props) {
  const form = useConfigForm(config, onSaved);
  const hasStoredKey = config.has_config && config.mode === form.values.mode;
  return (
    <Section
      title={config.has_config ? 'Modifier la configuration' : 'Relier Cloudflare'}
      about={
        <>
          <p>Vigie lit vos zones et modifie leurs enregistrements par l’API de Cloudflare.</p>
          <p>La clé est chiffrée, et plus jamais affichée.</p>
        </>
      }
    >
      <form noValidate onSubmit={form.save}>
        <Stack gap={16}>
          <Fields form={form} hasStoredKey={hasStoredKey} />
          <ValidationResult validation={form.validated} />
          <Failure sentence={form.failure} />
          <Group gap={8}>
            <Button type="submit" loading={form.isSaving}>
              Enregistrer
            </Button>
            <Button variant="default" loading={form.isValidating} onClick={() => form.test()}>
              Tester
            </Button>
            {config.has_config && (
              <Button variant="default" onClick={onCancel}>
                Annuler
              </Button>
            )}
          </Group>
        </Stack>
      </form>
      <LeaveGuard
        isDirty={form.isDirty && !form.isSaving}
        isClosedBy={(search) => tabOf(ZonesSearch.parse(search), config.has_config) !== 'config'}
      />
    </Section>
  );
}

/** Uses the names that Cloudflare shows where a token is created. */
export function Permissions({ permissions }: { permissions: readonly DnsPermission[] }) {
  if (permissions.length === 0) return null;
  return (
    <Stack component="ul" gap={4} aria-label="Permissions">
      {permissions.map(({ permission, state }) => (
        <Group component="li" key={permission} justify="space-between" gap="4px 16px" mih={28}>
          <span>
            {dnsPermissionNames[permission]}
            {permission === 'zone_create' && ' (pour ajouter des domaines)'}
          </span>
          <Status tone={permissionStates[state].tone}>{permissionStates[state].word}</Status>
        </Group>
      ))}
    </Stack>
  );
}
