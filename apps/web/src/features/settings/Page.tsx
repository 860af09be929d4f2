import { Button } from '@mantine/core';
import { CloudOff, LockKeyhole } from 'lucide-react';
import { isApiError, sentenceOf } from '../../app/api-error';
import { useStoredSession } from '../../app/session';
import { Callout } from '../../ui/Callout';
import { EmptyState } from '../../ui/EmptyState';
import { Section } from '../../ui/Section';
import { Skeleton } from '../../ui/Skeleton';
import { ThemeChoices } from '../../ui/ThemeChoices';
import styles from './Page.module.css';
import { SettingsForm } from './SettingsForm';
import { settingsApi } from './settings.api';

function Application({ isAdmin }: { isAdmin: boolean }) {
  const { data, error, isFetching, refetch } = settingsApi.useAppSettingsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  if (data) return <SettingsForm settings={data} isAdmin={isAdmin} />;
  return (
    <div className={styles['card']}>
      {error ? (
        <EmptyState
          icon={CloudOff}
          role="alert"
          title="Les paramètres de l’application n’ont pas pu être lus."
          actions={
            <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
              Réessayer
            </Button>
          }
        >
          {isApiError(error) && <p>{sentenceOf(error)}</p>}
        </EmptyState>
      ) : (
        <Skeleton rows={6} height={64} />
      )}
    </div>
  );
}

export function SettingsPage() {
  const { isAdmin } = useStoredSession();
  return (
    <div className={styles['page']}>
      <header>
        <h1>Paramètres</h1>
        <p className={styles['lead']}>L’apparence de la console, son identité et ses règles.</p>
      </header>
      <Section title="Apparence" about={<p>Dans ce navigateur seulement.</p>}>
        <ThemeChoices />
      </Section>
      {!isAdmin && (
        <Callout tone="info" icon={LockKeyhole}>
          Certains paramètres sont réservés aux administrateurs.
        </Callout>
      )}
      <Application isAdmin={isAdmin} />
    </div>
  );
}
