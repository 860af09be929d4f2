import { Button } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { LogoImage } from '../../ui/Logo';
import styles from './LogoField.module.css';
import { acceptedTypes, readLogo } from './logo';

type Props = {
  theme: 'light' | 'dark';
  /** The logo of this theme; null for none. */
  uri: string | null;
  /** The logo in the preview: that of the other theme where this one has none. */
  previewUri: string | null;
  appName: string;
  error: string | undefined;
  onChange: (uri: string | null) => void;
};

const themeNames = { light: 'thème clair', dark: 'thème sombre' };

function Preview({ theme, previewUri, appName }: Pick<Props, 'theme' | 'previewUri' | 'appName'>) {
  return (
    <div className={`${theme} ${styles['preview']}`} aria-hidden>
      <div className={styles['bar']}>
        <LogoImage uri={previewUri} />
        <span>{appName}</span>
      </div>
      <div className={styles['lines']}>
        <i />
        <i />
        <i />
      </div>
    </div>
  );
}

export function LogoField({ theme, uri, previewUri, appName, error, onChange }: Props) {
  const heading = useId();
  const input = useRef<HTMLInputElement>(null);
  const [readError, setReadError] = useState<string>();
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const logo = await readLogo(file);
    setReadError('refusal' in logo ? logo.refusal : undefined);
    if ('uri' in logo) onChange(logo.uri);
  };
  return (
    <fieldset className={styles['field']}>
      <legend id={heading} className={styles['label']}>
        Logo, {themeNames[theme]}
      </legend>
      <Preview theme={theme} previewUri={previewUri} appName={appName} />
      <input
        ref={input}
        hidden
        type="file"
        accept={acceptedTypes}
        aria-label={`Fichier du logo, ${themeNames[theme]}`}
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0]);
          // Lets the user choose the same file again after correcting it.
          event.currentTarget.value = '';
        }}
      />
      <div className={styles['actions']}>
        <Button
          variant="default"
          leftSection={<ImageUp size={16} aria-hidden />}
          onClick={() => input.current?.click()}
          aria-describedby={heading}
        >
          {uri === null ? 'Choisir un logo' : 'Remplacer'}
        </Button>
        {uri !== null && (
          <Button
            variant="subtle"
            color="danger"
            leftSection={<Trash2 size={16} aria-hidden />}
            onClick={() => onChange(null)}
            aria-describedby={heading}
          >
            Retirer
          </Button>
        )}
      </div>
      <Failure sentence={readError ?? error} />
    </fieldset>
  );
}
