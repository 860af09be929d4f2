import type { SiteBatchVerb } from '@vigie/contracts/site-batches';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { useFollowBatch } from '../../kit/job/useStartedJobs';
import { toast } from '../../ui/toasts';
import { siteBatchesApi } from './site-batches.api';
import { batchTexts } from './words';

type Form = {
  verb: SiteBatchVerb;
  ids: readonly string[];
  group: { id: string; name: string } | undefined;
  withCache: boolean;
};

/** Sends the call of a verb; the idempotency key makes a retry safe. */
function useBatchMutation() {
  const [test] = siteBatchesApi.useTestSelectedSitesMutation();
  const [backup] = siteBatchesApi.useBackupSitesMutation();
  const [move] = siteBatchesApi.useGroupSitesMutation();
  const [remove] = siteBatchesApi.useDeleteSitesMutation();
  return ({ verb, ids: siteIds, group, withCache }: Form) => {
    const ids = [...siteIds];
    if (verb === 'test') return test({ ids });
    if (verb === 'backup') return backup({ ids, exclude_cache: !withCache });
    if (verb === 'delete') return remove({ ids });
    return move({ ids, verb, group_id: group?.id ?? '' });
  };
}

/** Starts a batch. The dock follows its jobs; a batch without jobs is done at once. */
export function useStartBatch(onDone: (verb: SiteBatchVerb) => void) {
  const send = useBatchMutation();
  const followBatch = useFollowBatch();
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  const startBatch = async (form: Form): Promise<void> => {
    const texts = batchTexts[form.verb];
    setFailure(undefined);
    setSending(true);
    const { data, error } = await send(form);
    setSending(false);
    if (!data) return setFailure(reportFailure(error, texts.failed));
    toast.success(texts.done(form.ids.length, form.group?.name ?? ''));
    onDone(form.verb);
    if ('job_id' in data) followBatch(data.job_id);
  };
  return { startBatch: (form: Form) => void startBatch(form), failure, isSending };
}
