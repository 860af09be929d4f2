import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type AppSettings, TwoFactorPolicy } from '@vigie/contracts/settings';
import { sentenceOf } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { Section } from '../../ui/Section';
import { SelectField } from '../../ui/SelectField';
import { LogoField } from './LogoField';
import { maxSize } from './logo';
import styles from './settings.module.css';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { announceSettings } from '../../ui/brand';
import { toast } from '../../ui/toasts';
import { changesOf, checkChanges, type Values, valuesOf } from './changes';
import { settingsApi } from './settings.api';

function useSettingsForm(settings: AppSettings) {
  const [saveAppSettings, call] = settingsApi.useSaveAppSettingsMutation();
  const stored = valuesOf(settings);
  const form = useDraftForm<Values>({
    name: 'settings',
    initial: stored,
    validate: (values) => checkChanges(changesOf(stored, values)),
    isChanged: (values) => Object.keys(changesOf(stored, values)).length > 0,
  });
  const save = async (values: Values): Promise<void> => {
    const changes = changesOf(stored, values);
    if (call.isLoading || Object.keys(changes).length === 0) return;
    const { data } = await saveAppSettings(changes);
    if (!data) return;
    form.clearSent(values);
    announceSettings(data);
    toast.success('Paramètres enregistrés.');
  };
  const reset = () => {
    form.reset();
    call.reset();
  };
  return { ...form, call, reset, save: form.submit(save) };
}

type Form = ReturnType<typeof useSettingsForm>;

function Identity({ form: { values, errors, field, change } }: { form: Form }) {
  const { logo_light_b64: light, logo_dark_b64: dark, app_name: appName } = values;
  return (
    <Section
      title="Identité"
      about={
        <>
          <p>Le nom et le logo affichés dans l’en-tête, dans l’onglet et à la connexion.</p>
          <p>{`Logos\u00a0: PNG, WebP ou SVG, ${maxSize} au plus. Un seul logo sert aux deux thèmes.`}</p>
        </>
      }
    >
      <TextInput label="Nom de l’application" autoComplete="off" maxLength={60} {...field('app_name')} />
      <Group align="stretch" gap={16}>
        <LogoField
          theme="light"
          uri={light}
          previewUri={light ?? dark}
          appName={appName}
          error={errors.logo_light_b64}
          onChange={(uri) => change({ logo_light_b64: uri })}
        />
        <LogoField
          theme="dark"
          uri={dark}
          previewUri={dark ?? light}
          appName={appName}
          error={errors.logo_dark_b64}
          onChange={(uri) => change({ logo_dark_b64: uri })}
        />
      </Group>
    </Section>
  );
}

function Sender({ form }: { form: Form }) {
  return (
    <Section title="Emails" about={<p>La clé d’envoi et le message de test sont dans Notifications.</p>}>
      <TextInput
        type="email"
        inputMode="email"
        label="Expéditeur par défaut"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('default_sender_email')}
      />
    </Section>
  );
}

const policies = { off: 'Désactivée', admins: 'Administrateurs', all: 'Tout le monde' };

function Security({ form }: { form: Form }) {
  return (
    <Section
      title="Sécurité"
      about={
        <p>
          {
            'Un compte concerné peut encore se connecter 5 fois sans 2FA. Ensuite, il doit l’activer pour utiliser la console.'
          }
        </p>
      }
    >
      <SelectField
        label="Double authentification obligatoire"
        data={TwoFactorPolicy.options.map((value) => ({ value, label: policies[value] }))}
        {...form.field('require_2fa')}
      />
    </Section>
  );
}

/** The buttons are on the left, because toasts cover the right. */
function SaveBar({ form: { isDirty, call, reset } }: { form: Form }) {
  return (
    <Stack gap={8} px="var(--gutter)" pb={12} className={styles['bar']} data-dirty={isDirty || undefined}>
      <Failure sentence={sentenceOf(call.error)} />
      <Group gap={8}>
        <Button type="submit" loading={call.isLoading}>
          Enregistrer
        </Button>
        {isDirty && (
          <Button variant="default" disabled={call.isLoading} onClick={reset}>
            Annuler
          </Button>
        )}
        <Text component="output" flex={{ base: '1 1 100%', sm: 1 }} c="muted">
          {isDirty && 'Modifications non enregistrées.'}
        </Text>
      </Group>
    </Stack>
  );
}

/** The settings of the application: administrators edit them, other users see them. */
export function SettingsForm({ settings, isAdmin }: { settings: AppSettings; isAdmin: boolean }) {
  const form = useSettingsForm(settings);
  return (
    <form noValidate onSubmit={form.save}>
      <fieldset disabled={!isAdmin}>
        <Stack gap={16}>
          <Identity form={form} />
          <Sender form={form} />
          <Security form={form} />
          {isAdmin && <SaveBar form={form} />}
        </Stack>
      </fieldset>
      <LeaveGuard isDirty={form.isDirty} />
    </form>
  );
}
