import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../dialog/ConfirmDialog';
import code from '../../ui/code.module.css';
import { CopyLine } from '../../ui/CopyLine';
import { Fact, FactList } from '../../ui/FactList';
import { LineField } from '../../ui/LineField';
import { Status } from '../../ui/Status';
import type { CallState } from '../query/failures';

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

const Differing = ({ children }: { children: string }) => (
  <Text component="b" c="var(--text)" fw={700}>
    {children}
  </Text>
);

/** Highlights the letters that differ between the two fingerprints. */
function Fingerprint({ text, other }: { text: string; other: string }) {
  const parts = text.split(/(?<=^SHA256:)/);
  const [prefix = '', rest = ''] = parts.length === 2 ? parts : ['', text];
  return (
    <Text component="code" c="subtle" className={code['code'] ?? ''}>
      {prefix}
      {Array.from(rest, (letter, index) =>
        // A letter is compared by its position.
        // oxlint-disable-next-line react/no-array-index-key
        letter === other[prefix.length + index] ? letter : <Differing key={index}>{letter}</Differing>,
      )}
    </Text>
  );
}

/** Finds the fingerprint in pasted output of `ssh-keygen`, which adds a size and a comment. */
const fingerprintIn = (text: string) => /SHA256:[A-Za-z0-9+/]{43}/.exec(text)?.[0];

function Compare({ actual }: { actual: string }) {
  const [text, setText] = useState('');
  const fingerprint = fingerprintIn(text);
  return (
    <Stack gap={6}>
      <LineField
        label="Empreinte lue sur le serveur"
        description="Facultatif. Collez ce qu’affiche la commande."
        styles={{ input: { fontFamily: 'var(--mono)' } }}
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
    </Stack>
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
      <code className={code['code']}>{actual}</code>
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
    <Stack gap={16}>
      <FactList style={{ gap: 10 }}>
        <Fact name="Clé attendue">
          <Fingerprint text={expected} other={actual} />
        </Fact>
        <Fact name="Clé reçue">
          <Fingerprint text={actual} other={expected} />
        </Fact>
      </FactList>
      <CopyLine label="Pour comparer, sur le serveur lui-même" text={command} />
      <Compare actual={actual} />
      <Button variant="default" color="danger" w="fit-content" onClick={open}>
        Accepter la nouvelle clé…
      </Button>
      {isDialogOpen && <TrustDialog actual={actual} {...rest} onClose={() => setDialogOpen(false)} />}
    </Stack>
  );
}
