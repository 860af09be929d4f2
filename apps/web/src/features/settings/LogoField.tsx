import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Card } from '../../ui/Card';
import { Failure } from '../../ui/Failure';
import { Lines } from '../../ui/Lines';
import { LogoImage } from '../../ui/Logo';
import { acceptedTypes, readLogo } from './logo';
import styles from './settings.module.css';

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
    <Card bg="var(--canvas)" c="var(--text)" className={`${theme} ${styles['preview']}`} aria-hidden>
      <Lines component="div">
        <Group wrap="nowrap" gap={10} h={47} px={16} bg="var(--surface)">
          <LogoImage uri={previewUri} />
          <Text span truncate fz={16} fw={650} lh="24px" lts="-0.015em">
            {appName}
          </Text>
        </Group>
        <Stack gap={8} p={16}>
          <Paper w="72%" h={8} radius="xs" bg="var(--neutral-tint)" />
          <Paper w="56%" h={8} radius="xs" bg="var(--neutral-tint)" />
          <Paper w="24%" h={8} radius="xs" bg="var(--accent)" />
        </Stack>
      </Lines>
    </Card>
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
    <Stack component="fieldset" gap={8} flex="1 1 260px">
      <Box component="legend" id={heading} mb={8} fw={500}>
        Logo, {themeNames[theme]}
      </Box>
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
      <LogoButtons
        hasLogo={uri !== null}
        describedBy={heading}
        onChoose={() => input.current?.click()}
        onRemove={() => onChange(null)}
      />
      <Failure sentence={readError ?? error} />
    </Stack>
  );
}

type LogoButtonsProps = { hasLogo: boolean; describedBy: string; onChoose: () => void; onRemove: () => void };

function LogoButtons({ hasLogo, describedBy, onChoose, onRemove }: LogoButtonsProps) {
  return (
    <Group gap={8}>
      <Button
        variant="default"
        leftSection={<ImageUp size={16} aria-hidden />}
        onClick={onChoose}
        aria-describedby={describedBy}
      >
        {hasLogo ? 'Remplacer' : 'Choisir un logo'}
      </Button>
      {hasLogo && (
        <Button
          variant="subtle"
          color="danger"
          leftSection={<Trash2 size={16} aria-hidden />}
          onClick={onRemove}
          aria-describedby={describedBy}
        >
          Retirer
        </Button>
      )}
    </Group>
  );
}
