import { Button, Checkbox, Group as Row, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { withDe } from '@vigie/contracts/french';
import type { Group } from '@vigie/contracts/groups';
import { momentWords } from '@vigie/contracts/incident-words';
import { maxTitleLength, type StatusPage } from '@vigie/contracts/status-pages';
import { Link2, Link2Off } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { DialogFoot, DialogForm } from '../../kit/dialog/DialogForm';
import dialog from '../../kit/dialog/dialog.module.css';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { failureMessage } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { CopyLine } from '../../ui/CopyLine';
import { ReadFailed } from '../../ui/ReadFailed';
import { Skeleton } from '../../ui/Skeleton';
import { RenewLink, Unpublish } from './confirmations';
import { statusPagesApi } from './status-pages.api';
import { type StatusPageForm, useStatusPageForm } from './useStatusPageForm';
import { publicAddress } from './words';

type NewLinkProps = { secret: string; onClose: () => void };

function NewLink({ secret, onClose }: NewLinkProps) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => content.current?.querySelector('button')?.focus(), []);
  return (
    <>
      <div className={dialog['content']} ref={content}>
        <output>
          <Callout tone="ok">
            {'La page est en ligne. Copiez son lien maintenant\u00a0: Vigie ne le montrera plus.'}
          </Callout>
        </output>
        <CopyLine label="Lien de la page" text={publicAddress(secret)} />
        <Text variant="note">
          {'Qui a ce lien voit la page. S’il circule trop, créez-en un nouveau\u00a0: l’ancien ne marchera plus.'}
        </Text>
      </div>
      <DialogFoot cancel="Fermer" onCancel={onClose} />
    </>
  );
}

const OldLink = ({ page }: { page: StatusPage }) => (
  <Text c="muted">
    {`Publiée par ${page.created_by}, le ${momentWords(page.created_at)}. Son lien n’est plus montré\u00a0: s’il est perdu, ou s’il a trop circulé, créez-en un nouveau.`}
  </Text>
);

const NotPublished = () => (
  <Text c="muted">
    {
      'Qui a le lien voit si ces sites répondent, sans compte\u00a0: leurs noms d’hôte et leurs 90 derniers jours, sous-groupes compris. Rien d’autre de Vigie n’y paraît.'
    }
  </Text>
);

const Fields = ({ form: { form } }: { form: StatusPageForm }) => (
  <>
    <TextInput
      data-autofocus
      label="Titre"
      description="Public, comme tout ce que montre la page."
      maxLength={maxTitleLength}
      autoComplete="off"
      {...form.field('title')}
    />
    <Checkbox
      label="Lister les pannes des 90 derniers jours"
      checked={form.values.shows_incidents}
      onChange={({ currentTarget: { checked } }) => form.change({ shows_incidents: checked })}
    />
  </>
);

type Question = 'renew' | 'remove';

const Actions = ({ onAsk }: { onAsk: (question: Question) => void }) => (
  <Row gap={8}>
    <Button variant="default" leftSection={<Link2 size={16} aria-hidden />} onClick={() => onAsk('renew')}>
      Créer un nouveau lien
    </Button>
    <Button
      variant="default"
      color="danger"
      leftSection={<Link2Off size={16} aria-hidden />}
      onClick={() => onAsk('remove')}
    >
      Ne plus publier
    </Button>
  </Row>
);

type Props = { group: Group; onClose: () => void };
type LoadedProps = Props & { page: StatusPage | null };

function Loaded({ group, page, onClose }: LoadedProps) {
  const status = useStatusPageForm(group, page);
  const { form, call, save, secret, setSecret } = status;
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  if (secret !== undefined) return <NewLink secret={secret} onClose={onClose} />;
  return (
    <>
      <DialogForm
        action={page ? 'Enregistrer' : 'Publier la page'}
        call={call}
        isDisabled={page !== null && !form.isDirty}
        onSubmit={save}
        onCancel={onClose}
      >
        {page ? <OldLink page={page} /> : <NotPublished />}
        <Fields form={status} />
        {page && <Actions onAsk={setQuestion} />}
      </DialogForm>
      {question === 'renew' && <RenewLink group={group} onRenewed={setSecret} onClose={close} />}
      {question === 'remove' && <Unpublish group={group} onRemoved={onClose} onClose={close} />}
      <LeaveGuard isDirty={form.isDirty} isClosedBy={(search) => search['page'] !== group.id} />
    </>
  );
}

/** Publishes the state of a group's sites at a secret address, and takes it back. */
export function StatusPageDialog({ group, onClose }: Props) {
  const { data, error, isFetching, refetch } = statusPagesApi.useStatusPageQuery(
    { id: group.id },
    { refetchOnMountOrArgChange: true },
  );
  const sentence = failureMessage(error, 'La page publique de ce groupe n’a pas pu être lue.');
  return (
    <FormDialog title={`Page publique ${withDe(group.name)}`} onClose={onClose}>
      {data ? (
        <Loaded group={group} page={data.page} onClose={onClose} />
      ) : (
        <>
          <Stack className={dialog['content'] ?? ''}>
            {sentence === undefined ? (
              <Skeleton rows={3} />
            ) : (
              <ReadFailed sentence={sentence} isBusy={isFetching} onRetry={refetch} />
            )}
          </Stack>
          <DialogFoot cancel="Fermer" onCancel={onClose} />
        </>
      )}
    </FormDialog>
  );
}
