import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { LockKeyhole, Users } from 'lucide-react';
import { PendingCard } from '../../kit/list/PendingCard';
import { useStoredSession } from '../../kit/query/session';
import { Callout } from '../../ui/Callout';
import { Section } from '../../ui/Section';
import { ThemeChoices } from '../../ui/Choices';
import { Page } from '../../ui/Page';
import { SettingsForm } from './SettingsForm';
import { settingsApi } from './settings.api';

function Application({ isAdmin }: { isAdmin: boolean }) {
  const { data, error, isFetching, refetch } = settingsApi.useAppSettingsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  if (data) return <SettingsForm settings={data} isAdmin={isAdmin} />;
  const retry = () => void refetch();
  return (
    <PendingCard
      failure="Les paramètres de l’application n’ont pas pu être lus."
      error={error}
      isFetching={isFetching}
      onRetry={retry}
    />
  );
}

const UsersLink = () => (
  <Button
    variant="default"
    leftSection={<Users size={16} aria-hidden />}
    renderRoot={(props) => <Link {...props} to="/admin/users" />}
  >
    Utilisateurs
  </Button>
);

export function SettingsPage() {
  const { isAdmin } = useStoredSession();
  return (
    <Page
      title="Paramètres"
      lead="L’apparence de la console, son identité et ses règles."
      maxWidth={1100}
      action={isAdmin && <UsersLink />}
    >
      <Section title="Apparence" about={<p>Dans ce navigateur seulement.</p>}>
        <ThemeChoices />
      </Section>
      {!isAdmin && (
        <Callout tone="info" icon={LockKeyhole}>
          Certains paramètres sont réservés aux administrateurs.
        </Callout>
      )}
      <Application isAdmin={isAdmin} />
    </Page>
  );
}
