import { Button, Group, Stack } from '@mantine/core';
import type { DnsConfig } from '@vigie/contracts/dns-config';
import { Pencil, PlugZap, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { failureReason, sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { formatDate } from '../../ui/dates';
import { Failure } from '../../ui/Failure';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { Section } from '../../ui/Section';
import { Skeleton } from '../../ui/Skeleton';
import { toast } from '../../ui/toasts';
import { useFocusHandOver } from '../../ui/focus';
import { TimeAgo } from '../../ui/TimeAgo';
import { ConfigForm, ValidationResult, Permissions } from './ConfigForm';
import styles from './dns.module.css';
import { zonesApi } from './zones.api';

/** Reads the counts again: they may have changed since the screen was opened. */
function DeletionEffects() {
  const { data, isFetching } = zonesApi.useDnsConfigQuery(undefined, { refetchOnMountOrArgChange: true });
  if (!data || isFetching) return <Skeleton rows={1} />;
  const { zones_count: zones, snapshots_count: snapshots } = data;
  if (snapshots === 0) return <p>{`Vigie oublie ${plural(zones, 'zone', 'zones')}. Aucun historique n’est perdu.`}</p>;
  return (
    <p>
      {`L’historique de ${plural(zones, 'zone', 'zones')} est effacé définitivement\u00a0: ${plural(snapshots, 'état gardé', 'états gardés')}.`}
    </p>
  );
}

function DeleteConfig({ onClose }: { onClose: () => void }) {
  const [remove, call] = zonesApi.useDeleteDnsConfigMutation();
  const confirm = async () => {
    const { error } = await remove();
    if (error) return;
    toast.success('Configuration supprimée.');
    onClose();
  };
  return (
    <ConfirmDialog
      title={'Supprimer la configuration Cloudflare\u202f?'}
      action="Supprimer"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>La clé enregistrée et les liens entre vos sites et leurs zones sont effacés.</p>
      <DeletionEffects />
      <p>Rien ne change chez Cloudflare.</p>
    </ConfirmDialog>
  );
}

/** The Cloudflare account, and what the stored credentials may do in it. */
function Account() {
  const { data, error, isFetching, refetch } = zonesApi.useDnsAccountQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  if (error && !isFetching) {
    return (
      <Failure sentence={failureReason(error, 'Failed to load account')}>
        <RetryButton onRetry={refetch} />
      </Failure>
    );
  }
  if (!data) return <Skeleton rows={3} />;
  return (
    <>
      <dl className={styles['pairs']}>
        <div>
          <dt>Compte</dt>
          <dd>{data.account?.name ?? 'Aucun compte visible avec ces accès'}</dd>
        </div>
        {data.email !== null && (
          <div>
            <dt>Connecté comme</dt>
            <dd>{data.email}</dd>
          </div>
        )}
        {data.expires_at !== null && (
          <div>
            <dt>Jeton valable jusqu’au</dt>
            <dd>{formatDate(new Date(data.expires_at))}</dd>
          </div>
        )}
      </dl>
      <Permissions permissions={data.permissions} />
    </>
  );
}

const StoredConfig = ({ config }: { config: DnsConfig }) => (
  <dl className={styles['pairs']}>
    <div>
      <dt>Connexion</dt>
      <dd>{config.mode === 'api_token' ? 'Jeton d’API' : 'Email et clé API'}</dd>
    </div>
    {config.mode === 'global_key' && (
      <div>
        <dt>Email</dt>
        <dd>{config.email ?? '—'}</dd>
      </div>
    )}
    <div>
      <dt>{config.mode === 'api_token' ? 'Jeton d’API' : 'Clé API'}</dt>
      <dd>{config.mode === 'api_token' ? 'Enregistré, jamais affiché' : 'Enregistrée, jamais affichée'}</dd>
    </div>
    {config.notes !== null && (
      <div>
        <dt>Notes</dt>
        <dd>{config.notes}</dd>
      </div>
    )}
    {config.updated_at !== null && (
      <div>
        <dt>Modifié</dt>
        <dd>
          <TimeAgo at={config.updated_at} />
        </dd>
      </div>
    )}
  </dl>
);

function useTest() {
  const [validate, { data, error, isLoading }] = zonesApi.useValidateDnsConfigMutation();
  return {
    validation: isLoading || error ? undefined : data,
    isTesting: isLoading,
    failure: sentenceOf(error),
    run: () => validate({}),
  };
}

function ConfigView({ config, onEdit }: { config: DnsConfig; onEdit: () => void }) {
  const [isDeleting, setDeleting] = useState(false);
  const { validation, isTesting, failure, run } = useTest();
  return (
    <>
      <Section title="Accès à Cloudflare" about={<p>Une configuration par personne&#160;: celle-ci est la vôtre.</p>}>
        {config.problem !== null && (
          <Callout tone="danger">
            <p>{config.problem}</p>
          </Callout>
        )}
        <StoredConfig config={config} />
        <ValidationResult validation={validation && { ...validation, permissions: [] }} />
        <Failure sentence={failure} />
        <ConfigActions
          isTesting={isTesting}
          onEdit={onEdit}
          onTest={() => void run()}
          onDelete={() => setDeleting(true)}
        />
      </Section>
      <Section title="Compte et permissions" about={<p>Ce que Cloudflare permet avec ces accès.</p>}>
        <Account />
      </Section>
      {isDeleting && <DeleteConfig onClose={() => setDeleting(false)} />}
    </>
  );
}

type ConfigActionsProps = { isTesting: boolean; onEdit: () => void; onTest: () => void; onDelete: () => void };

function ConfigActions({ isTesting, onEdit, onTest, onDelete }: ConfigActionsProps) {
  return (
    <Group gap={8}>
      <Button leftSection={<Pencil size={16} aria-hidden />} onClick={onEdit}>
        Modifier
      </Button>
      <Button variant="default" loading={isTesting} leftSection={<PlugZap size={16} aria-hidden />} onClick={onTest}>
        Tester
      </Button>
      <Button variant="default" color="danger" leftSection={<Trash2 size={16} aria-hidden />} onClick={onDelete}>
        Supprimer
      </Button>
    </Group>
  );
}

/** Keeps the keyboard focus in the tab when the form replaces the view, or the view the form. */
function FocusedPart({ children }: { children: ReactNode }) {
  const part = useFocusHandOver<HTMLDivElement>('[data-config]');
  return (
    <Stack ref={part} gap={16} maw={1100}>
      {children}
    </Stack>
  );
}

export function ConfigTab({ config, onCreated }: { config: DnsConfig; onCreated: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const isForm = !config.has_config || isEditing;
  const afterSave = () => {
    setEditing(false);
    if (!config.has_config) onCreated();
  };
  return (
    <div data-config tabIndex={-1} style={{ outline: 'none' }}>
      <FocusedPart key={isForm ? 'form' : 'view'}>
        {isForm ? (
          <ConfigForm config={config} onSaved={afterSave} onCancel={() => setEditing(false)} />
        ) : (
          <ConfigView config={config} onEdit={() => setEditing(true)} />
        )}
      </FocusedPart>
    </div>
  );
}
