import { Button } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Failure } from '../../ui/Failure';
import { LogoImage } from '../../ui/Logo';
import styles from './LogoField.module.css';
import { acceptedTypes, readLogo } from './logo';

type Props = {
  theme: 'light' | 'dark';
  /** What is chosen for this theme; null: nothing. */
  uri: string | null;
  /** What is shown in this theme: the other one's logo where it has none. */
  shown: string | null;
  appName: string;
  error: string | undefined;
  onChange: (uri: string | null) => void;
};

const words = { light: 'thème clair', dark: 'thème sombre' };

function Preview({ theme, shown, appName }: Pick<Props, 'theme' | 'shown' | 'appName'>) {
  return (
    <div className={`${theme} ${styles['preview']}`} aria-hidden>
      <div className={styles['bar']}>
        <LogoImage uri={shown} />
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

export function LogoField({ theme, uri, shown, appName, error, onChange }: Props) {
  const heading = useId();
  const input = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<string>();
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const read = await readLogo(file);
    setRefusal('refusal' in read ? read.refusal : undefined);
    if ('uri' in read) onChange(read.uri);
  };
  return (
    <fieldset className={styles['field']}>
      <legend id={heading} className={styles['label']}>
        Logo, {words[theme]}
      </legend>
      <Preview theme={theme} shown={shown} appName={appName} />
      <input
        ref={input}
        hidden
        type="file"
        accept={acceptedTypes}
        aria-label={`Fichier du logo, ${words[theme]}`}
        onChange={(event) => {
          void choose(event.currentTarget.files?.[0]);
          // The same file, mended meanwhile, can be chosen again.
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
      <Failure sentence={refusal ?? error} />
    </fieldset>
  );
}
