import { FormDialog } from '../../kit/dialog/FormDialog';
import styles from './KeyDialog.module.css';

type Props = { name: string; pubkey: string; onClose: () => void };

/** Shows the key, selected, when the browser refused to copy it. */
export function KeyDialog({ name, pubkey, onClose }: Props) {
  return (
    <FormDialog title={`Clé publique de ${name}`} onClose={onClose}>
      <div className={styles['content']}>
        <p>{'Le navigateur a refusé la copie. La clé est sélectionnée\u00a0: copiez-la avec Ctrl+C.'}</p>
        <textarea
          data-autofocus
          readOnly
          rows={4}
          aria-label="Clé publique"
          value={pubkey}
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
    </FormDialog>
  );
}
