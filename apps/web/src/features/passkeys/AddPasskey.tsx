import { Button, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { type ReactNode, useState } from 'react';
import { DialogFoot, DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import dialog from '../../kit/dialog/dialog.module.css';
import { Callout } from '../../ui/Callout';
import { useFocusOnMount } from '../../ui/focus';
import { toast } from '../../ui/toasts';
import { PasswordProof } from './PasswordProof';
import { type PasskeyCreationSteps, usePasskeyCreation } from './usePasskeyCreation';

type StepProps = { steps: PasskeyCreationSteps; email: string; onClose: () => void };

function PasswordStep({ steps: { form, stage, isConfirming, confirm }, email, onClose }: StepProps) {
  const failure = stage.name === 'password' ? stage.failure : undefined;
  return (
    <DialogForm
      action="Continuer"
      call={{ isLoading: isConfirming }}
      failure={failure}
      onSubmit={confirm}
      onCancel={onClose}
    >
      <TextInput
        data-autofocus
        label="Nom"
        description={'Pour la reconnaître dans la liste, par exemple «\u00a0Téléphone\u00a0».'}
        maxLength={80}
        autoComplete="off"
        {...form.field('name')}
      />
      <PasswordProof
        email={email}
        hint="Une clé d’accès ouvre votre compte sans mot de passe."
        field={form.field('password')}
      />
    </DialogForm>
  );
}

type BrowserStepProps = { note: ReactNode; isBusy: boolean; onMake: () => void; onClose: () => void };

function BrowserStep({ note, isBusy, onMake, onClose }: BrowserStepProps) {
  const button = useFocusOnMount<HTMLButtonElement>();
  return (
    <>
      <div className={dialog['content']}>
        <p>Votre navigateur vous demandera où enregistrer la clé d’accès, et de vous identifier.</p>
        <output>{note !== undefined && <Callout tone="info">{note}</Callout>}</output>
      </div>
      <DialogFoot onCancel={onClose}>
        <Button ref={button} loading={isBusy} onClick={onMake}>
          Créer la clé d’accès
        </Button>
      </DialogFoot>
    </>
  );
}

type UnknownStepProps = { isFirst: boolean; onRenew: () => void; onClose: () => void };

/** The recovery codes of a first second factor were in the answer that got lost. */
function UnknownStep({ isFirst, onRenew, onClose }: UnknownStepProps) {
  const button = useFocusOnMount<HTMLButtonElement>();
  return (
    <>
      <div className={dialog['content']} role="alert">
        <Callout tone="warn">
          Vigie n’a pas confirmé l’ajout{'\u00a0'}: la clé d’accès est peut-être dans la liste.{' '}
          {isFirst
            ? 'La double authentification est alors activée, et vos codes de récupération ne se sont pas affichés\u00a0: générez-en de nouveaux.'
            : 'Vérifiez-la avant de recommencer.'}
        </Callout>
      </div>
      <DialogFoot cancel="Fermer" onCancel={onClose}>
        {isFirst && (
          <Button ref={button} onClick={onRenew}>
            Générer de nouveaux codes
          </Button>
        )}
      </DialogFoot>
    </>
  );
}

type Props = {
  email: string;
  /** There is no other second factor yet, so that recovery codes come with the passkey. */
  isFirst: boolean;
  onCodes: (codes: readonly string[]) => void;
  /** Leads to new recovery codes. */
  onRenew: () => void;
  onClose: () => void;
};

export function AddPasskey({ email, onCodes, onRenew, onClose, ...props }: Props) {
  // A passkey that was stored without an answer changes that.
  const [isFirst] = useState(props.isFirst);
  const steps = usePasskeyCreation((name, codes) => {
    toast.success(`Clé d’accès ${name} ajoutée.`);
    onClose();
    if (codes.length > 0) onCodes(codes);
  });
  const { stage, make } = steps;
  const isSaving = stage.name === 'saving';
  const close = () => {
    if (!isSaving) onClose();
  };
  return (
    <FormDialog title="Ajouter une clé d’accès" onClose={close}>
      {stage.name === 'password' && <PasswordStep {...{ steps, email }} onClose={close} />}
      {(stage.name === 'ready' || stage.name === 'asking') && (
        <BrowserStep
          note={stage.note}
          isBusy={stage.name === 'asking'}
          onMake={() => void make(stage.offer)}
          onClose={close}
        />
      )}
      {isSaving && <Saving />}
      {stage.name === 'unknown' && <UnknownStep {...{ isFirst, onRenew }} onClose={close} />}
      <LeaveGuard isDirty={isSaving && isFirst} title={'Quitter sans vos codes\u202f?'} action="Quitter sans les codes">
        <p>La clé d’accès s’enregistre, et ses codes de récupération vont s’afficher.</p>
      </LeaveGuard>
    </FormDialog>
  );
}

const Saving = () => (
  <div className={dialog['content']}>
    <output>
      <Callout tone="info">Vigie enregistre la clé d’accès. Gardez cette fenêtre ouverte.</Callout>
    </output>
  </div>
);
