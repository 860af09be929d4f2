import { Button } from '@mantine/core';
import { isApiError, sentenceOf } from '../../app/api-error';
import { CopyLine } from '../../ui/CopyLine';
import { Failure } from '../../ui/Failure';
import { Skeleton } from '../../ui/Skeleton';
import styles from './ServerPanel.module.css';
import { serversApi } from './servers.api';

export const keyFailed = "Impossible d'obtenir la clé publique.";

/** One line, whatever the server has: the folder and the file are made, and nobody else may read them. */
const lineFor = (pubkey: string) =>
  `mkdir -p ~/.ssh && chmod 700 ~/.ssh && echo '${pubkey.trim()}' >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys`;

/** The key that lets Vigie in, once the server knows it. */
export function PublicKey({ id, user }: { id: string; user: string }) {
  const { data, error, isFetching, refetch } = serversApi.usePublicKeyQuery(id);
  if (data)
    return (
      <>
        <CopyLine label="Clé publique" text={data.pubkey.trim()} />
        <CopyLine label={`À exécuter sur le serveur, en tant que ${user}`} text={lineFor(data.pubkey)} />
      </>
    );
  if (!error) return <Skeleton rows={2} height={72} />;
  return (
    <Failure sentence={(isApiError(error) && sentenceOf(error)) || keyFailed}>
      <Button variant="default" className={styles['again'] ?? ''} loading={isFetching} onClick={() => void refetch()}>
        Réessayer
      </Button>
    </Failure>
  );
}
