import { Button, Checkbox } from '@mantine/core';
import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { useBrand } from '../../ui/brand';
import { copyText } from '../../ui/copy';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { toast } from '../../ui/toasts';
import { useFocusOnMount } from '../../ui/useFocusOnMount';
import { codesFile } from './codes';
import styles from './Page.module.css';

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
    <div className={styles['actions']}>
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
    </div>
  );
}

export function CodesStep({ email, codes, onDone }: Props) {
  const { app_name: appName } = useBrand();
  const [isSaved, setSaved] = useState(false);
  const heading = useFocusOnMount<HTMLHeadingElement>();
  return (
    <section className={styles['card']}>
      <div className={styles['sheet']}>
        <h2 ref={heading} tabIndex={-1}>
          Vos codes de récupération
        </h2>
        <p className={styles['note']}>
          Utilisez-les si vous n’avez plus votre téléphone. Chacun ne sert qu’une fois. Ils ne seront plus affichés
          {'\u00a0'}: gardez-les ailleurs que sur ce téléphone.
        </p>
        <p className={styles['onPaper']}>
          {appName}, {email}
        </p>
        <ul aria-label="Codes de récupération" className={styles['codes']}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </div>
      <CodesActions email={email} codes={codes} />
      <Checkbox
        label="J’ai enregistré mes codes"
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <div className={styles['actions']}>
        <Button disabled={!isSaved} onClick={onDone}>
          Terminer
        </Button>
      </div>
      {/* This screen is the only one that ever shows the codes. */}
      <LeaveGuard isDirty={!isSaved} title={'Quitter sans garder vos codes\u202f?'} action="Quitter sans les garder">
        <p>
          Ils ne seront plus affichés. Sans eux, si vous perdez votre téléphone, seul un administrateur pourra vous
          rendre l’accès.
        </p>
      </LeaveGuard>
    </section>
  );
}
