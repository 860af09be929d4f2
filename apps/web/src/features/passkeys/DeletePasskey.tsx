import { Button } from '@mantine/core';
import { deletePasskey as deletion, type Passkey } from '@vigie/contracts/passkeys';
import { DialogFoot } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import dialog from '../../kit/dialog/dialog.module.css';
import { schemaErrors } from '../../kit/form/errors';
import { useDraftForm } from '../../kit/form/useDraftForm';
import { sentenceOf } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { toast } from '../../ui/toasts';
import { PasswordProof } from './PasswordProof';
import { passkeysApi } from './passkeys.api';

const blank = { password: '' };

const Proof = deletion.input.pick({ password: true });

function useDeletion({ id, name }: Passkey, onDeleted: () => void) {
  const [deletePasskey, { isLoading, error: refusal }] = passkeysApi.useDeletePasskeyMutation();
  const form = useDraftForm({
    name: 'delete-passkey',
    checksOnLeave: 'none',
    initial: blank,
    secrets: blank,
    validate: (values) => schemaErrors(Proof, values),
  });
  const send = form.submit(async ({ password }) => {
    if (isLoading) return;
    const { error } = await deletePasskey({ id, password });
    if (error) return;
    toast.success(`Clé d’accès ${name} supprimée.`);
    onDeleted();
  });
  return { form, send, isLoading, failure: sentenceOf(refusal) };
}

type FormProps = { passkey: Passkey; email: string; isLastFactor: boolean; onClose: () => void };

function DeletionForm({ passkey, email, isLastFactor, onClose }: FormProps) {
  const { form, send, isLoading, failure } = useDeletion(passkey, onClose);
  return (
    <form noValidate onSubmit={send}>
      <div className={dialog['content']}>
        <p>Elle n’ouvrira plus votre compte. Effacez-la aussi de l’appareil qui la garde.</p>
        {isLastFactor && (
          <Callout tone="warn">
            C’est votre seul second facteur{'\u00a0'}: votre mot de passe suffira pour vous connecter, et vos codes de
            récupération ne serviront plus.
          </Callout>
        )}
        <PasswordProof
          email={email}
          hint="Pour confirmer que la demande vient de vous."
          field={form.field('password')}
        />
      </div>
      <DialogFoot failure={failure} isCautious onCancel={onClose}>
        <Button type="submit" color="danger" loading={isLoading}>
          Supprimer
        </Button>
      </DialogFoot>
    </form>
  );
}

/** Says why the passkey must stay, before anybody types a password for nothing. */
const MustStay = ({ onClose }: { onClose: () => void }) => (
  <>
    <div className={dialog['content']}>
      <Callout tone="warn">
        C’est votre seul second facteur, et la double authentification est obligatoire pour votre compte{'\u00a0'}:
        ajoutez d’abord une autre clé d’accès ou une application.
      </Callout>
    </div>
    <DialogFoot cancel="Fermer" isCautious onCancel={onClose} />
  </>
);

type Props = FormProps & { isRequired: boolean };

export function DeletePasskey({ isRequired, ...form }: Props) {
  const { passkey, isLastFactor, onClose } = form;
  return (
    <FormDialog title={`Supprimer la clé d’accès ${passkey.name}\u202f?`} onClose={onClose}>
      {isLastFactor && isRequired ? <MustStay onClose={onClose} /> : <DeletionForm {...form} />}
    </FormDialog>
  );
}
