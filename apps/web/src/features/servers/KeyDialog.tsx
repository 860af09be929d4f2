import { useEffect, useRef } from 'react';
import { FormDialog } from '../../ui/FormDialog';
import styles from './KeyDialog.module.css';

type Props = { name: string; pubkey: string; onClose: () => void };

/** The key itself, selected, where the clipboard did not take it. */
export function KeyDialog({ name, pubkey, onClose }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.select(), []);
  return (
    <FormDialog title={`Clé publique de ${name}`} onClose={onClose}>
      <div className={styles['content']}>
        <p>{'Le presse-papiers a refusé. La clé est sélectionnée\u00a0: copiez-la avec Ctrl+C.'}</p>
        <textarea ref={area} data-autofocus readOnly rows={4} aria-label="Clé publique" value={pubkey} />
      </div>
    </FormDialog>
  );
}
