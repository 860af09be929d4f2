import { Button, TextInput } from '@mantine/core';
import { wpPath } from '@vigie/contracts/site-address';
import { type FormEvent, useState } from 'react';
import styles from './DiscoveryDialog.module.css';

const folderMissing = 'Saisissez un dossier du serveur, par exemple /data/sites.';

/** Searches the server again, with one more folder. */
export function SearchOtherFolder({ onSearch }: { onSearch: (folder: string) => void }) {
  const [folder, setFolder] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Keeps the event from the import form around it.
    event.stopPropagation();
    const parsed = wpPath.safeParse(folder.trim());
    const folderError = parsed.success
      ? parsed.data === ''
        ? folderMissing
        : undefined
      : parsed.error.issues[0]?.message;
    setError(folderError);
    if (folderError === undefined && parsed.data !== undefined) onSearch(parsed.data);
  };
  return (
    <details className={styles['notes']}>
      <summary>Un site manque&#8239;? Chercher dans un autre dossier</summary>
      <form className={styles['elsewhere']} noValidate onSubmit={submit}>
        <TextInput
          label="Chercher aussi dans"
          placeholder="/data/sites"
          spellCheck={false}
          value={folder}
          error={error}
          onChange={({ currentTarget: { value } }) => setFolder(value)}
        />
        <Button type="submit" variant="default">
          Chercher
        </Button>
      </form>
    </details>
  );
}
