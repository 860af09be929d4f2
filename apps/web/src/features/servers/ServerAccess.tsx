import type { Server, ServerTest } from '@vigie/contracts/servers';
import { ChangedKey } from '../../kit/diagnosis/ChangedKey';
import { DiagnosisReport } from '../../kit/diagnosis/DiagnosisReport';
import { CopyLine } from '../../ui/CopyLine';
import { SectionCard } from '../../ui/SectionCard';
import { addressOf } from '../../ui/serverAddress';
import { PublicKey } from './PublicKey';
import { serversApi } from './servers.api';
import type { ServerDiagnosis } from './useServerTest';

/** Before the first contact the key has to be installed on the server. */
export const needsKeyInstall = ({ has_password: hasPassword, host_key: hostKey }: Server): boolean =>
  !hasPassword && hostKey === null;

const keyWords = (server: Server): { title: string; about: string } => {
  if (needsKeyInstall(server)) {
    return {
      title: 'Autoriser la clé sur le serveur',
      about: 'Exécutez la ligne ci-dessous sur le serveur, puis testez la connexion.',
    };
  }
  return {
    title: 'Accès par clé',
    about: server.has_password
      ? 'Vigie se connecte avec un mot de passe\u202f; cette clé peut le remplacer.'
      : 'Cette clé doit être autorisée sur le serveur.',
  };
};

/** The key of Vigie for the server, and the key that the server shows. */
export const KeyCard = ({ server }: { server: Server }) => (
  <SectionCard {...keyWords(server)}>
    <PublicKey id={server.id} user={server.user} />
    {server.host_key !== null && <CopyLine label="Empreinte de la clé du serveur" text={server.host_key} />}
  </SectionCard>
);

const methodLabels = { key: 'avec la clé', password: 'avec le mot de passe' };

type TestProps = { server: Server; diagnosis: ServerDiagnosis };

export function TestCard({ server, diagnosis }: TestProps) {
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
  const isTested = diagnosis.id === id;
  return (
    <SectionCard
      title="Test de connexion"
      about={
        isTested
          ? undefined
          : 'Vigie se connecte, vérifie la clé du serveur, puis les commandes, les fichiers, PHP, le disque et l’horloge.'
      }
    >
      <DiagnosisReport subject={subject} diagnosis={diagnosis} />
    </SectionCard>
  );
}
