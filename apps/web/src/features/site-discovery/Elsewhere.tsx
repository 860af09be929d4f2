import { Button, TextInput } from '@mantine/core';
import { wpPath } from '@vigie/contracts/site-address';
import { type FormEvent, useState } from 'react';
import styles from './DiscoveryDialog.module.css';

const missing = 'Donnez un dossier du serveur, comme /data/sites.';

/** Searches again, in a folder of the server besides. */
export function Elsewhere({ onSearch }: { onSearch: (folder: string) => void }) {
  const [folder, setFolder] = useState('');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // It stands below the form of the import.
    event.stopPropagation();
    const checked = wpPath.safeParse(folder.trim());
    const why = checked.success ? (checked.data === '' ? missing : undefined) : checked.error.issues[0]?.message;
    setError(why);
    if (why === undefined && checked.data !== undefined) onSearch(checked.data);
  };
  return (
    <details className={styles['notes']}>
      <summary>Il en manque&#8239;?</summary>
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
