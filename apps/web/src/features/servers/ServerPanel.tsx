import { Box, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Server, ServerTest } from '@vigie/contracts/servers';
import { FolderSearch } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { ChangedKey } from '../../kit/diagnosis/ChangedKey';
import { DiagnosisReport } from '../../kit/diagnosis/DiagnosisReport';
import { useGroupNames } from '../../kit/fleet/groups';
import { Failure } from '../../ui/Failure';
import { Fact, FactList } from '../../ui/FactList';
import { PanelSection } from '../../ui/Section';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { Skeleton } from '../../ui/Skeleton';
import { addressOf } from '../../ui/serverAddress';
import { TypeBadge } from '../../ui/Status';
import { PublicKey } from './PublicKey';
import { ServerState, Uptime } from './ServerState';
import type { ServersSearch } from './search';
import { serversApi } from './servers.api';
import styles from './servers.module.css';
import type { ServerDiagnosis } from './useServerTest';

type PanelActions = {
  diagnosis: ServerDiagnosis;
  onEdit: () => void;
  onDelete: (server: Server) => void;
  onClose: () => void;
};

function Facts({ server }: { server: Server }) {
  const { status, sites_count: count } = server;
  const groups = useGroupNames()(server.groups);
  return (
    <PanelSection component="div">
      <ServerState status={status} isWhole />
      <FactList className={styles['facts']}>
        <Fact name="Adresse">
          <code>{addressOf(server)}</code>
        </Fact>
        <Fact name="Type">
          <TypeBadge type={server.type} />
        </Fact>
        {server.provider !== null && <Fact name="Fournisseur">{server.provider}</Fact>}
        <Fact name="Authentification">{server.has_password ? 'Mot de passe' : 'Clé'}</Fact>
        <Fact name="Sites">
          {count === 0 ? (
            'Aucun'
          ) : (
            <Link to="/sites" search={{ server: server.id }}>
              {plural(count, 'site', 'sites')}
            </Link>
          )}
        </Fact>
        {groups.length > 0 && <Fact name="Groupes">{groups.map(({ path }) => path).join(', ')}</Fact>}
        {status.uptime !== null && (
          <Fact name="Uptime">
            <Uptime status={status} />
          </Fact>
        )}
        <Fact name="Empreinte de sa clé">
          {server.host_key === null ? 'Enregistrée au premier contact' : <code>{server.host_key}</code>}
        </Fact>
      </FactList>
    </PanelSection>
  );
}

function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  const heading = useId();
  return (
    <PanelSection aria-labelledby={heading}>
      <div>
        <h3 id={heading}>{title}</h3>
        {about !== undefined && (
          <Text variant="note" mt={2}>
            {about}
          </Text>
        )}
      </div>
      {children}
    </PanelSection>
  );
}

const methodLabels = { key: 'avec la clé', password: 'avec le mot de passe' };

function Report({ server, diagnosis }: { server: Server; diagnosis: ServerDiagnosis }) {
  const trust = serversApi.useTrustHostKeyMutation();
  const { id, name } = server;
  const changedKey = (keys: { expected: string; actual: string }, onTrusted: () => void) => (
    <ChangedKey {...keys} name={name} id={id} trust={trust} onTrusted={onTrusted} />
  );
  const subject = {
    id,
    title: `${name} (${addressOf(server)})`,
    spell: ({ method }: ServerTest) => `Connexion établie ${methodLabels[method]}.`,
    stepsOf: ({ steps }: ServerTest) => steps,
    outputsOf: ({ stdout }: ServerTest) => [stdout.trim()].filter(Boolean),
    changedKey,
  };
  return <DiagnosisReport subject={subject} diagnosis={diagnosis} />;
}

function Content({ server, diagnosis }: { server: Server; diagnosis: ServerDiagnosis }) {
  const isTested = diagnosis.id === server.id;
  // Before the first connection the key must be installed, so it comes before the test.
  const needsKeyInstall = !server.has_password && server.host_key === null && !isTested;
  const keySection = (
    <Section
      title={needsKeyInstall ? 'Autoriser la clé sur le serveur' : 'Accès par clé'}
      about={
        needsKeyInstall
          ? 'Exécutez la ligne ci-dessous sur le serveur, puis testez la connexion.'
          : server.has_password
            ? 'Vigie se connecte avec un mot de passe\u202f; cette clé peut le remplacer.'
            : 'Cette clé doit être autorisée sur le serveur.'
      }
    >
      <PublicKey id={server.id} user={server.user} />
    </Section>
  );
  const about = isTested
    ? undefined
    : 'Vigie se connecte, vérifie la clé du serveur, puis les commandes, les fichiers, PHP, le disque et l’horloge.';
  return (
    <>
      <Facts server={server} />
      {needsKeyInstall && keySection}
      <Section title="Test de connexion" {...(about !== undefined && { about })}>
        <Report server={server} diagnosis={diagnosis} />
      </Section>
      <DiscoverSection id={server.id} />
      {!needsKeyInstall && keySection}
    </>
  );
}

function DiscoverSection({ id }: { id: string }) {
  return (
    <Section
      title="Sites de ce serveur"
      about="Vigie cherche les WordPress de ce serveur sans rien modifier, puis vous choisissez ceux à suivre."
    >
      <Button
        variant="default"
        leftSection={<FolderSearch size={16} aria-hidden />}
        w="fit-content"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/servers"
            search={(current: ServersSearch) => ({ ...current, discover: id, found: undefined })}
            replace
            resetScroll={false}
          />
        )}
      >
        Découvrir les sites
      </Button>
    </Section>
  );
}

export function ServerPanel({ id, diagnosis, onEdit, onDelete, onClose }: PanelActions & { id: string }) {
  const { currentData: server, error, isFetching, refetch } = serversApi.useServerQuery({ id });
  const sentence = failureMessage(error, 'Impossible de lire ce serveur.');
  return (
    <SidePanel
      title={server?.name ?? 'Serveur'}
      onClose={onClose}
      foot={server && <Foot server={server} onEdit={onEdit} onDelete={onDelete} />}
    >
      {server && <Content server={server} diagnosis={diagnosis} />}
      {!server && sentence === undefined && <Skeleton rows={5} height={56} />}
      {!server && sentence !== undefined && (
        <PanelSection component="div">
          <Failure sentence={sentence}>
            <Box mt={8}>
              <RetryButton isBusy={isFetching} onRetry={refetch} />
            </Box>
          </Failure>
        </PanelSection>
      )}
    </SidePanel>
  );
}

function Foot({ server, onEdit, onDelete }: Pick<PanelActions, 'onEdit' | 'onDelete'> & { server: Server }) {
  return (
    <>
      <Button variant="default" color="danger" onClick={() => onDelete(server)}>
        Supprimer
      </Button>
      <Button variant="default" onClick={onEdit}>
        Modifier
      </Button>
      <Button
        renderRoot={(props) => (
          <Link
            {...props}
            to="/servers/$serverId/console"
            params={{ serverId: server.id }}
            search={{}}
            preload={false}
          />
        )}
      >
        Voir la console
      </Button>
    </>
  );
}
