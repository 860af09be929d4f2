import { Button, Group, Stack, Textarea } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { maxCommentLength } from '@vigie/contracts/incidents';
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react';
import { LeaveGuard } from '../../kit/dialog/LeaveGuard';
import { sentenceOf } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { incidentsApi } from './incidents.api';

const submitOnKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
};

function useComment(id: string) {
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const [comment, call] = incidentsApi.useCommentIncidentMutation();
  const send = async () => {
    const isEmpty = text.trim() === '';
    setMissing(isEmpty);
    if (!isEmpty) {
      const { error } = await comment({ id, text });
      // What was typed meanwhile is another comment.
      if (error === undefined) setText((current) => (current === text ? '' : current));
    }
    field.current?.focus();
  };
  const change = (next: string) => {
    setText(next);
    setMissing(false);
  };
  return { field, text, isMissing, call, change, send };
}

/** What somebody found or did, for the others and for later. */
export function CommentForm({ id }: { id: string }) {
  const { field, text, isMissing, call, change, send } = useComment(id);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!call.isLoading) void send();
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={8}>
        <Textarea
          ref={field}
          label="Ajouter un commentaire"
          placeholder="Ce que vous avez vu ou fait"
          autosize
          minRows={2}
          maxRows={10}
          maxLength={maxCommentLength}
          value={text}
          error={isMissing && 'Écrivez un commentaire.'}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={submitOnKey}
        />
        <Failure sentence={sentenceOf(call.error)} />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={call.isLoading}>
            Commenter
          </Button>
        </Group>
      </Stack>
      <LeaveGuard isDirty={text.trim() !== ''} title={'Quitter sans commenter\u202f?'} action="Quitter sans commenter">
        <p>Votre commentaire sera perdu.</p>
      </LeaveGuard>
    </form>
  );
}
