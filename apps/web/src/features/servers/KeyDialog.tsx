import { Stack, Textarea } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { FormDialog } from '../../kit/dialog/FormDialog';

type Props = { name: string; pubkey: string; onClose: () => void };

/** Shows the key, selected, when the browser refused to copy it. */
export function KeyDialog({ name, pubkey, onClose }: Props) {
  return (
    <FormDialog title={`Clé publique de ${name}`} onClose={onClose}>
      <Stack gap={12} p="20px var(--gutter) 24px">
        <p>{'Le navigateur a refusé la copie. La clé est sélectionnée\u00a0: copiez-la avec Ctrl+C.'}</p>
        <Textarea
          data-autofocus
          readOnly
          rows={4}
          styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
          aria-label="Clé publique"
          value={pubkey}
          onFocus={(event) => event.currentTarget.select()}
        />
      </Stack>
    </FormDialog>
  );
}
