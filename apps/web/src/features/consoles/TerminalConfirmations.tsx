import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { CallState } from '../../kit/query/failures';
import { ConfirmDialog, Dialog } from '../../kit/dialog/ConfirmDialog';
import { plural } from '../../ui/plural';
import { useSignal } from '../../ui/signal';
import styles from './consoles.module.css';
import type { ConsoleSession } from './ConsoleSession';
import { countLines, countInvisible, splitPieces } from './confirmations';
import { endTab } from './sessions';

type ConfirmationProps = {
  title: string;
  action: string;
  children: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Neither answer loses anything, so the confirm button needs no danger colour. */
const Confirmation = ({ title, action, children, onConfirm, onCancel }: ConfirmationProps) => (
  <Dialog
    title={title}
    size={640}
    refusal="Annuler"
    onCancel={onCancel}
    action={<Button onClick={onConfirm}>{action}</Button>}
  >
    {children}
  </Dialog>
);

function PasteConfirmation({ tab, text }: { tab: ConsoleSession; text: string }) {
  const lineCount = countLines(text);
  const invisibleCount = countInvisible(text);
  return (
    <Confirmation
      title={lineCount > 1 ? `Coller ${lineCount} lignes\u202f?` : 'Coller ce texte\u202f?'}
      action="Coller"
      onConfirm={() => tab.paste(text)}
      onCancel={() => tab.dismiss()}
    >
      <Text c="muted">
        {`Selon ce qui tourne sur ${tab.target.name}, chaque ligne peut être exécutée aussitôt.`}
        {invisibleCount > 0 &&
          ` ${plural(invisibleCount, 'caractère invisible, montré ici, ne sera pas collé.', 'caractères invisibles, montrés ici, ne seront pas collés.')}`}
      </Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <pre tabIndex={0} aria-label="Texte à coller" className={styles['pasted']}>
        {splitPieces(text).map((piece, index) =>
          // The index is the only key that a piece has.
          // oxlint-disable-next-line react/no-array-index-key
          piece.isMark ? <mark key={index}>{piece.text}</mark> : piece.text,
        )}
      </pre>
    </Confirmation>
  );
}

/** The opened page gets neither `window.opener` nor a referrer. */
const openPage = (url: string) => window.open(url, '_blank', 'noopener,noreferrer');

const LinkConfirmation = ({ tab, url }: { tab: ConsoleSession; url: string }) => (
  <Confirmation
    title="Ouvrir ce lien&#x202f;?"
    action="Ouvrir dans un nouvel onglet"
    onConfirm={() => {
      openPage(url);
      tab.dismiss();
    }}
    onCancel={() => tab.dismiss()}
  >
    <Text c="muted">{`Il a été affiché par ${tab.target.name}. Vérifiez où il mène.`}</Text>
    <code className={styles['pasted']}>{url}</code>
  </Confirmation>
);

/** The confirmations of a terminal. */
export function TerminalConfirmations({ tab }: { tab: ConsoleSession }) {
  const { confirmation } = useSignal(tab.view);
  if (confirmation?.kind === 'paste') return <PasteConfirmation tab={tab} text={confirmation.text} />;
  if (confirmation?.kind === 'link') return <LinkConfirmation tab={tab} url={confirmation.url} />;
  return null;
}

type CloseProps = { tab: ConsoleSession; onClosed: () => void; onCancel: () => void };

/** Asks because closing a console stops the programs that run in its shell. */
export function CloseConfirmation({ tab, onClosed, onCancel }: CloseProps) {
  const [call, setCall] = useState<CallState>({ isLoading: false });
  const close = async () => {
    setCall({ isLoading: true });
    const error = await endTab(tab);
    setCall({ isLoading: false, error });
    if (error === undefined) onClosed();
  };
  return (
    <ConfirmDialog
      title={`Fermer la console de ${tab.target.name}\u202f?`}
      action="Fermer la console"
      call={call}
      onConfirm={() => void close()}
      onCancel={onCancel}
    >
      <p>Les programmes qui y tournent seront arrêtés sur le serveur.</p>
    </ConfirmDialog>
  );
}
