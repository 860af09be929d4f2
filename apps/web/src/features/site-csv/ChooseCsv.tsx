import { Button, Group, Text, Textarea } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { byteOrderMark, csvLine } from '@vigie/contracts/csv';
import { siteHeads } from '@vigie/contracts/site-csv-file';
import { Download } from 'lucide-react';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { DropZone } from '../../ui/DropZone';
import { saveFile } from '../../ui/saveFile';
import { readFile } from './decode';
import type { usePreview } from './useSiteCsv';

/** Only the headings, so that no invented site is imported. */
const saveExample = () =>
  saveFile('sites-exemple.csv', new Blob([byteOrderMark, csvLine(siteHeads)], { type: 'text/csv' }));

type Props = {
  text: string;
  preview: ReturnType<typeof usePreview>;
  onType: (text: string) => void;
  onClose: () => void;
};

/** Takes a file, or lines pasted from a spreadsheet. */
export function ChooseCsv({ text, preview: { read, failure, isBusy, setFailure }, onType, onClose }: Props) {
  const pick = async (file: File) => {
    const picked = await readFile(file);
    if ('refusal' in picked) setFailure(picked.refusal);
    else await read(picked.text);
  };
  const submit = () => {
    if (text.trim() === '') setFailure('Choisissez un fichier, ou collez des lignes.');
    else void read(text);
  };
  return (
    <DialogForm
      action="Voir ce qui sera importé"
      call={{ isLoading: isBusy }}
      failure={failure}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text>
        {
          'Une ligne par site, sous les titres des colonnes. Donnez le nom, l’URL et un serveur que Vigie connaît\u202f; sans serveur, donnez hôte, utilisateur et chemin. Rien n’est écrit avant votre accord.'
        }
      </Text>
      <CsvFields text={text} onType={onType} onFile={(file) => void pick(file)} />
    </DialogForm>
  );
}

type FieldsProps = Pick<Props, 'text' | 'onType'> & { onFile: (file: File) => void };

const CsvFields = ({ text, onType, onFile }: FieldsProps) => (
  <>
    <DropZone
      label="Déposez un fichier CSV ici"
      hint={'2\u202f000 sites et 2\u00a0Mo au plus.'}
      accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
      onFiles={([file]) => file && onFile(file)}
    />
    <Textarea
      label="Ou collez des lignes"
      placeholder="nom;url;groupes;serveur;hôte;port;utilisateur;chemin"
      rows={5}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget: { value } }) => onType(value)}
    />
    <Group>
      <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={saveExample}>
        Télécharger un exemple vide
      </Button>
    </Group>
  </>
);
