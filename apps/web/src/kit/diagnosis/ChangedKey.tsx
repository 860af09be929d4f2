import { Button } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../dialog/ConfirmDialog';
import { CopyLine } from '../../ui/CopyLine';
import { LineField } from '../../ui/LineField';
import { Status } from '../../ui/Status';
import type { CallState } from '../query/failures';
import styles from './ChangedKey.module.css';

type HostKeys = { expected: string; actual: string };
type Props = HostKeys & {
  /** The server or site of the key. */
  name: string;
  id: string;
  trust: readonly [
    send: (key: { id: string; fingerprint: string }) => PromiseLike<{ error?: unknown }>,
    call: CallState & { reset: () => void },
  ];
  onTrusted: () => void;
};

const command = 'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub';

/** Highlights the letters that differ between the two fingerprints. */
function Fingerprint({ text, other }: { text: string; other: string }) {
  const parts = text.split(/(?<=^SHA256:)/);
  const [prefix = '', rest = ''] = parts.length === 2 ? parts : ['', text];
  return (
    <code className={styles['fingerprint']}>
      {prefix}
      {Array.from(rest, (letter, index) =>
        // A letter is compared by its position.
        // oxlint-disable-next-line react/no-array-index-key
        letter === other[prefix.length + index] ? letter : <b key={index}>{letter}</b>,
      )}
    </code>
  );
}

/** Finds the fingerprint in pasted output of `ssh-keygen`, which adds a size and a comment. */
const fingerprintIn = (text: string) => /SHA256:[A-Za-z0-9+/]{43}/.exec(text)?.[0];

function Compare({ actual }: { actual: string }) {
  const [text, setText] = useState('');
  const fingerprint = fingerprintIn(text);
  return (
    <div className={styles['compare']}>
      <LineField
        label="Empreinte lue sur le serveur"
        description="Facultatif. Collez ce qu’affiche la commande."
        classNames={{ input: styles['mono'] ?? '' }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <output>
        {text.trim() !== '' && fingerprint === undefined && <Status tone="neutral">Pas encore une empreinte</Status>}
        {fingerprint === actual && <Status tone="ok">Identique à la nouvelle clé</Status>}
        {fingerprint !== undefined && fingerprint !== actual && (
          <Status tone="danger">Différente de la nouvelle clé</Status>
        )}
      </output>
    </div>
  );
}

function TrustDialog({
  id,
  name,
  actual,
  trust,
  onTrusted,
  onClose,
}: Omit<Props, 'expected'> & { onClose: () => void }) {
  const [send, call] = trust;
  const confirm = async () => {
    const { error } = await send({ id, fingerprint: actual });
    if (error) return;
    onClose();
    onTrusted();
  };
  return (
    <ConfirmDialog
      title={`Accepter la nouvelle clé de ${name}\u202f?`}
      action="Accepter la nouvelle clé"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>Vigie remplacera l’ancienne clé par celle-ci, puis se connectera avec les secrets enregistrés.</p>
      <code className={styles['fingerprint']}>{actual}</code>
    </ConfirmDialog>
  );
}

export const changedKeyWarning =
  'Si le serveur a été réinstallé, c’est normal. Sinon, une autre machine répond peut-être à sa place et lirait ce que Vigie lui envoie.';

/** Shows both keys and how to compare them: another machine may respond in place of the server. */
export function ChangedKey({ expected, actual, ...rest }: Props) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  const open = () => {
    const [, call] = rest.trust;
    // A refusal belongs to the dialog that was open then.
    call.reset();
    setDialogOpen(true);
  };
  return (
    <div className={styles['changed']}>
      <dl className={styles['keys']}>
        <dt>Clé attendue</dt>
        <dd>
          <Fingerprint text={expected} other={actual} />
        </dd>
        <dt>Clé reçue</dt>
        <dd>
          <Fingerprint text={actual} other={expected} />
        </dd>
      </dl>
      <CopyLine label="Pour comparer, sur le serveur lui-même" text={command} />
      <Compare actual={actual} />
      <Button variant="default" color="danger" className={styles['accept'] ?? ''} onClick={open}>
        Accepter la nouvelle clé…
      </Button>
      {isDialogOpen && <TrustDialog actual={actual} {...rest} onClose={() => setDialogOpen(false)} />}
    </div>
  );
}
