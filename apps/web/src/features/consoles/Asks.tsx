import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { reasonOf } from '../../app/failed';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Dialog } from '../../ui/Dialog';
import { plural } from '../../ui/plural';
import { useSignal } from '../../ui/signal';
import styles from './Asks.module.css';
import type { ConsoleSession } from './ConsoleSession';
import { countLines, countUnseen, piecesOf } from './paste';
import { endTab } from './sessions';

type AskProps = { title: string; action: string; children: ReactNode; onConfirm: () => void; onCancel: () => void };

/** Neither answer loses anything, so the confirm button needs no danger colour. */
const Ask = ({ title, action, children, onConfirm, onCancel }: AskProps) => (
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

function PasteAsk({ tab, text }: { tab: ConsoleSession; text: string }) {
  const lines = countLines(text);
  const unseen = countUnseen(text);
  return (
    <Ask
      title={lines > 1 ? `Coller ${lines} lignes\u202f?` : 'Coller ce texte\u202f?'}
      action="Coller"
      onConfirm={() => tab.paste(text)}
      onCancel={() => tab.dismiss()}
    >
      <p className={styles['text']}>
        {`Selon ce qui tourne sur ${tab.target.name}, chaque ligne peut être exécutée aussitôt.`}
        {unseen > 0 &&
          ` ${plural(unseen, 'caractère invisible, montré ici, ne sera pas collé.', 'caractères invisibles, montrés ici, ne seront pas collés.')}`}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <pre tabIndex={0} aria-label="Texte à coller" className={styles['paste']}>
        {piecesOf(text).map((piece, at) =>
          // The index is the only key that a piece has.
          // oxlint-disable-next-line react/no-array-index-key
          piece.isMark ? <mark key={at}>{piece.text}</mark> : piece.text,
        )}
      </pre>
    </Ask>
  );
}

/** The opened page gets neither `window.opener` nor a referrer. */
const openPage = (url: string) => window.open(url, '_blank', 'noopener,noreferrer');

const LinkAsk = ({ tab, url }: { tab: ConsoleSession; url: string }) => (
  <Ask
    title="Ouvrir ce lien&#x202f;?"
    action="Ouvrir dans un nouvel onglet"
    onConfirm={() => {
      openPage(url);
      tab.dismiss();
    }}
    onCancel={() => tab.dismiss()}
  >
    <p className={styles['text']}>{`Il a été affiché par ${tab.target.name}. Vérifiez où il mène.`}</p>
    <code className={styles['paste']}>{url}</code>
  </Ask>
);

/** The confirmations of a terminal. */
export function Asks({ tab }: { tab: ConsoleSession }) {
  const { ask } = useSignal(tab.view);
  if (ask?.kind === 'paste') return <PasteAsk tab={tab} text={ask.text} />;
  if (ask?.kind === 'link') return <LinkAsk tab={tab} url={ask.url} />;
  return null;
}

type CloseProps = { tab: ConsoleSession; onClosed: () => void; onCancel: () => void };

/** Asks because closing a console stops the programs that run in its shell. */
export function CloseAsk({ tab, onClosed, onCancel }: CloseProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const close = async () => {
    setBusy(true);
    const error = await endTab(tab);
    setBusy(false);
    if (error === undefined) onClosed();
    else setFailure(reasonOf(error, 'La console n’a pas pu être fermée. Réessayez.'));
  };
  return (
    <ConfirmDialog
      title={`Fermer la console de ${tab.target.name}\u202f?`}
      action="Fermer la console"
      isBusy={isBusy}
      failure={failure}
      onConfirm={() => void close()}
      onCancel={onCancel}
    >
      <p>Ce qui y tourne sera arrêté sur le serveur.</p>
    </ConfirmDialog>
  );
}
