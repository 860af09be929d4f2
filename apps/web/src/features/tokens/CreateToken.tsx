import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { tokenScopes } from '@vigie/contracts/token-scopes';
import { useEffect, useRef } from 'react';
import { DialogFoot, DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import dialog from '../../kit/dialog/dialog.module.css';
import { GroupChoices } from '../../kit/fleet/GroupsField';
import { useGroups } from '../../kit/fleet/groups';
import { useIsAdmin } from '../../kit/fleet/users';
import { Callout } from '../../ui/Callout';
import { ChoiceLegend } from '../../ui/ChoiceList';
import { CopyLine } from '../../ui/CopyLine';
import { SelectField } from '../../ui/SelectField';
import { lifetimes } from './lifetimes';
import { type TokenForm, useTokenForm } from './useTokenForm';
import { scopeWords } from './words';

type FieldsProps = { form: TokenForm };

function Scopes({ form: { values, change } }: FieldsProps) {
  const isAdmin = useIsAdmin();
  const offered = tokenScopes.filter((scope) => scope !== 'admin' || isAdmin);
  return (
    <fieldset>
      <ChoiceLegend count={0}>Ce qu’il peut faire</ChoiceLegend>
      <Stack gap={10}>
        {offered.map((scope) => (
          <Group key={scope} component="label" align="flex-start" wrap="nowrap" gap={10}>
            <Checkbox
              checked={values.scopes.includes(scope)}
              onChange={({ currentTarget: { checked } }) =>
                change({ scopes: offered.filter((each) => (each === scope ? checked : values.scopes.includes(each))) })
              }
            />
            <span>
              {scopeWords[scope].label}
              <Text variant="hint">{scopeWords[scope].about}</Text>
            </span>
          </Group>
        ))}
      </Stack>
    </fieldset>
  );
}

function GroupsLimit({ form: { values, change } }: FieldsProps) {
  const { lines } = useGroups();
  if (lines.length === 0) return null;
  return (
    <fieldset>
      <ChoiceLegend count={values.groups.length}>Limiter à des groupes</ChoiceLegend>
      <GroupChoices lines={[...lines]} value={values.groups} onChange={(groups) => change({ groups })} />
      <Text variant="hint" mt={4}>
        {'Sans groupe choisi, le jeton vaut pour tout ce que vous voyez. Limité, il n’ouvre ni serveurs ni DNS.'}
      </Text>
    </fieldset>
  );
}

const Expiry = ({ form }: FieldsProps) => (
  <>
    <SelectField
      label="Valable"
      data={lifetimes.map((choice) => ({ ...choice }))}
      value={form.values.lifetime}
      onChange={(event) => form.change({ lifetime: event.currentTarget.value })}
    />
    {form.values.lifetime === 'date' && (
      <TextInput type="date" label="Dernier jour" description="Dans un an au plus." {...form.field('date')} />
    )}
  </>
);

function Created({ token, onClose }: { token: string; onClose: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => content.current?.querySelector('button')?.focus(), []);
  const example = `curl -H 'Authorization: Bearer ${token}' ${window.location.origin}/api/sites`;
  return (
    <>
      <div className={dialog['content']} ref={content}>
        <output>
          <Callout tone="ok">{'Copiez ce jeton maintenant\u00a0: Vigie ne le montrera plus.'}</Callout>
        </output>
        <CopyLine label="Jeton" text={token} />
        <CopyLine label="Exemple" text={example} />
        <Text variant="note">Gardez-le comme un mot de passe. S’il fuit, révoquez-le dans votre profil.</Text>
      </div>
      <DialogFoot cancel="Fermer" onCancel={onClose} />
    </>
  );
}

export function CreateToken({ onClose }: { onClose: () => void }) {
  const { form, call, token, save } = useTokenForm();
  const isDirty = token === undefined && form.isDirty;
  const lost = 'Ce jeton n’est pas encore créé.';
  const { close, guard } = useCloseGuard({ isDirty, undone: 'créer', lost, onClose });
  return (
    <FormDialog title={token === undefined ? 'Nouveau jeton' : 'Jeton créé'} onClose={close}>
      {token === undefined ? (
        <DialogForm action="Créer le jeton" call={call} failure={form.errors.scopes} onSubmit={save} onCancel={close}>
          <TextInput data-autofocus label="Nom" maxLength={80} autoComplete="off" {...form.field('name')} />
          <Scopes form={form} />
          <GroupsLimit form={form} />
          <Expiry form={form} />
        </DialogForm>
      ) : (
        <Created token={token} onClose={onClose} />
      )}
      {guard}
    </FormDialog>
  );
}
