import type { SiteBatchVerb } from '@vigie/contracts/site-batches';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { useFollowBatch } from '../../app/useBegun';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { toast } from '../../ui/toasts';
import { siteBatchesApi } from './site-batches.api';
import { words } from './words';

type Form = {
  verb: SiteBatchVerb;
  ids: readonly string[];
  group: { id: string; name: string } | undefined;
  withCache: boolean;
};

/** Asks for it, by the call of its verb; once, however often it is tried. */
function useAsk() {
  const [test] = siteBatchesApi.useTestChosenMutation();
  const [backup] = siteBatchesApi.useBackupSitesMutation();
  const [move] = siteBatchesApi.useGroupSitesMutation();
  const [remove] = siteBatchesApi.useDeleteSitesMutation();
  return ({ verb, ids: chosen, group, withCache }: Form, idempotencyKey: string) => {
    const ids = [...chosen];
    if (verb === 'test') return test({ ids, idempotencyKey });
    if (verb === 'backup') return backup({ ids, exclude_cache: !withCache, idempotencyKey });
    if (verb === 'delete') return remove({ ids, idempotencyKey });
    return move({ ids, verb, group_id: group?.id ?? '', idempotencyKey });
  };
}

/** Does a batch. Jobs are followed in the dock; what is done at once is told. */
export function useBegin(onDone: (verb: SiteBatchVerb) => void) {
  const ask = useAsk();
  const { keyFor, renewKey } = useIdempotencyKey();
  const follow = useFollowBatch();
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const begin = async (form: Form): Promise<void> => {
    const said = words[form.verb];
    setFailure(undefined);
    setSending(true);
    const { data, error } = await ask(form, keyFor(form));
    setSending(false);
    if (!data) return setFailure(tellFailure(error, said.failed));
    renewKey();
    toast.success(said.done(form.ids.length, form.group?.name ?? ''));
    onDone(form.verb);
    if ('job_id' in data) follow(data.job_id);
  };
  return { begin: (form: Form) => void begin(form), failure, isSending };
}
