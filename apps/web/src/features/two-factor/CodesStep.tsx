import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { useBrand } from '../../ui/brand';
import { Card } from '../../ui/Card';
import { copyText } from '../../ui/copy';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/focus';
import { codesFile } from './codes';
import styles from './two-factor.module.css';

type Props = { email: string; codes: readonly string[]; onDone: () => void };

function download(appName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${appName.toLowerCase()}-codes-de-recuperation.txt`;
  link.click();
  URL.revokeObjectURL(url);
}

function CodesActions({ email, codes }: Pick<Props, 'email' | 'codes'>) {
  const { app_name: appName } = useBrand();
  const copy = async () => {
    if (await copyText(codes.join('\n'))) toast.success('Codes copiés.');
    else toast.error('La copie a échoué. Sélectionnez les codes, ou téléchargez-les.');
  };
  return (
    <Group gap={8}>
      <Button variant="default" leftSection={<Copy size={16} aria-hidden />} onClick={() => void copy()}>
        Copier
      </Button>
      <Button
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        onClick={() => download(appName, codesFile(appName, email, codes, new Date()))}
      >
        Télécharger
      </Button>
      <Button variant="default" leftSection={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
        Imprimer
      </Button>
    </Group>
  );
}

export function CodesStep({ email, codes, onDone }: Props) {
  const { app_name: appName } = useBrand();
  const [isSaved, setSaved] = useState(false);
  const heading = useFocusOnMount<HTMLHeadingElement>();
  return (
    <Stack component={Card} p="var(--gutter)">
      <Stack gap={12} className={styles['sheet']}>
        <h2 ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          Vos codes de récupération
        </h2>
        <Text c="var(--muted)">
          Utilisez-les si vous n’avez plus votre téléphone ou votre clé d’accès. Chacun ne sert qu’une fois. Ils ne
          seront plus affichés{'\u00a0'}: gardez-les ailleurs que sur cet appareil.
        </Text>
        <p className={styles['onPaper']}>
          {appName}, {email}
        </p>
        <CodesList codes={codes} />
      </Stack>
      <CodesActions email={email} codes={codes} />
      <Checkbox
        label="J’ai enregistré mes codes"
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <Group>
        <Button disabled={!isSaved} onClick={onDone}>
          Terminer
        </Button>
      </Group>
      {/* This screen is the only one that ever shows the codes. */}
      <LeaveGuard isDirty={!isSaved} title={'Quitter sans garder vos codes\u202f?'} action="Quitter sans les garder">
        <p>
          Ils ne seront plus affichés. Sans eux, si vous perdez votre téléphone ou votre clé d’accès, seul un
          administrateur pourra vous rendre l’accès.
        </p>
      </LeaveGuard>
    </Stack>
  );
}

const CodesList = ({ codes }: Pick<Props, 'codes'>) => (
  <ul aria-label="Codes de récupération" className={styles['codes']}>
    {codes.map((code) => (
      <li key={code}>
        <code>{code}</code>
      </li>
    ))}
  </ul>
);
