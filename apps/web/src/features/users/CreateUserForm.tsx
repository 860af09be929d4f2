import { Box, Button, Group, Stack, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type AdminUser, CreateUser, type Person, type Role } from '@vigie/contracts/users';
import { Share2 } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { emptyErrors, type FormErrors, schemaErrors } from '../../kit/form/errors';
import { PasswordField } from '../../kit/form/PasswordField';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Card } from '../../ui/Card';
import { CopyButton } from '../../ui/CopyLine';
import { Failure } from '../../ui/Failure';
import { useReturnFocus } from '../../ui/focus';
import { labelRoom } from '../../ui/mantine';
import { SelectField } from '../../ui/SelectField';
import { generatePassword } from './password';
import { roleChoices } from './RoleField';
import { usersApi } from './users.api';
import styles from './users.module.css';

type Form = ReturnType<typeof useCreateUser>;
type TextField = 'first_name' | 'last_name' | 'email';

const texts: Record<TextField, { label: string; type: string }> = {
  first_name: { label: 'Prénom', type: 'text' },
  last_name: { label: 'Nom', type: 'text' },
  email: { label: 'Email', type: 'email' },
};

function Text({ field, form }: { field: TextField; form: Form }) {
  return (
    <TextInput
      {...texts[field]}
      autoComplete="off"
      autoCapitalize={field === 'email' ? 'none' : 'words'}
      spellCheck={false}
      maxLength={field === 'email' ? 254 : 100}
      {...form.field(field)}
    />
  );
}

function Password({ form: { values, field, change } }: { form: Form }) {
  return (
    <Group gap={8} align="flex-start" style={{ gridColumn: '1 / -1' }}>
      <Box flex="1 1 240px" maw={380}>
        <PasswordField
          label="Mot de passe"
          autoComplete="new-password"
          hint="8 caractères au moins."
          {...field('password')}
        />
      </Box>
      <Group gap={8} mt={labelRoom}>
        <Button variant="default" onClick={() => change({ password: generatePassword() })}>
          Générer
        </Button>
        {values.password !== '' && <CopyButton text={values.password} label="Copier" />}
      </Group>
    </Group>
  );
}

type CreatedUser = { user: AdminUser; password: string };

type CreatedProps = CreatedUser & {
  onShare: (person: Person) => void;
  onCreateAnother: () => void;
  onClose: () => void;
};

function Created({ user, password, onShare, onCreateAnother, onClose }: CreatedProps) {
  const createAnotherButton = useRef<HTMLButtonElement>(null);
  useEffect(() => createAnotherButton.current?.focus(), []);
  return (
    <Stack mt={12}>
      <output>
        <Callout tone="ok">
          {`Compte créé pour ${user.email}. Transmettez-lui son mot de passe par un canal sûr\u00a0: il ne sera plus affiché.`}
        </Callout>
      </output>
      {user.role === 'client' && <p>{`${user.name} ne voit encore aucun site\u00a0: partagez-en tout de suite.`}</p>}
      <Group gap={8}>
        {user.role === 'client' && (
          <Button leftSection={<Share2 size={16} aria-hidden />} onClick={() => onShare(user)}>
            Partager des groupes ou des sites
          </Button>
        )}
        <CopyButton text={password} label="Copier le mot de passe" />
        <Button variant="default" ref={createAnotherButton} onClick={onCreateAnother}>
          Créer un autre compte
        </Button>
        <Button variant="subtle" onClick={onClose}>
          Fermer
        </Button>
      </Group>
    </Stack>
  );
}

function Fields({ form, onClose }: { form: Form; onClose: () => void }) {
  const { errors, call, save } = form;
  return (
    <form noValidate onSubmit={save}>
      <Stack mt={12}>
        <Failure sentence={errors.form ?? sentenceOf(call.error)} />
        <Box className={styles['fields']} __vars={{ '--column': '240px' }}>
          <Text field="first_name" form={form} />
          <Text field="last_name" form={form} />
          <Text field="email" form={form} />
          <SelectField label="Rôle" data={roleChoices} {...form.field('role')} />
          <Password form={form} />
        </Box>
        <Group gap={8}>
          <Button type="submit" loading={call.isLoading}>
            Créer le compte
          </Button>
          <Button variant="default" onClick={onClose}>
            Annuler
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Props = { onShare: (person: Person) => void; onClose: () => void };

export function CreateUserForm({ onShare, onClose }: Props) {
  useReturnFocus();
  const form = useCreateUser();
  const { created, restart } = form;
  const focusFirst = useEffectEvent(() => form.focus('first_name'));
  useEffect(() => {
    if (!created) focusFirst();
  }, [created]);
  return (
    <Card component="section" p={{ base: 16, sm: '20px 24px 24px' }} aria-labelledby="create-user">
      <h2 id="create-user">Nouveau compte</h2>
      {created ? (
        <Created {...created} onShare={onShare} onCreateAnother={restart} onClose={onClose} />
      ) : (
        <Fields form={form} onClose={onClose} />
      )}
      <LeaveGuard isDirty={form.isDirty} isClosedBy={(search) => search['add'] !== true} />
    </Card>
  );
}

type NewUser = { email: string; password: string; first_name: string; last_name: string; role: Role };

const blank: NewUser = { email: '', password: '', first_name: '', last_name: '', role: 'client' };
const requiredFields = ['first_name', 'last_name', 'email', 'password'] as const;
const missingFields = 'Email, mot de passe, prénom et nom sont requis.';

/** Finds the errors that need no request. */
function checkUser(values: NewUser): FormErrors<NewUser> {
  const empty = emptyErrors(values, requiredFields);
  return {
    ...schemaErrors(CreateUser, values),
    ...empty,
    ...(Object.keys(empty).length > 0 && { form: missingFields }),
  };
}

/** The form of a new account; `created` is set until the user starts another one. */
function useCreateUser() {
  const [createUser, call] = usersApi.useCreateUserMutation();
  const [created, setCreated] = useState<CreatedUser>();
  const form = useDraftForm<NewUser>({
    name: 'user',
    initial: blank,
    secrets: { password: '' },
    validate: checkUser,
    isChanged: (values) => requiredFields.some((field) => values[field] !== ''),
  });
  const save = async (values: NewUser): Promise<void> => {
    if (call.isLoading) return;
    const { data: user } = await createUser(values);
    if (!user) return;
    setCreated({ user, password: values.password });
    form.reset();
  };
  return { ...form, created, call, save: form.submit(save), restart: () => setCreated(undefined) };
}
