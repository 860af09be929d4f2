import type { SiteBatchVerb } from '@vigie/contracts/site-batches';
import { useFollowBatch } from '../../kit/job/useBatch';
import { siteCalls } from '../../kit/fleet/sites';
import { toast } from '../../ui/toasts';
import { siteBatchesApi } from './site-batches.api';
import { batchTexts } from './words';

type Form = {
  verb: SiteBatchVerb;
  ids: readonly string[];
  group: { id: string; name: string } | undefined;
  withCache: boolean;
};

/** Sends the call of a verb. */
function useBatchMutation() {
  const [test, testing] = siteCalls.useTestSitesMutation();
  const [backup, backingUp] = siteBatchesApi.useBackupSitesMutation();
  const [move, moving] = siteBatchesApi.useGroupSitesMutation();
  const [remove, removing] = siteBatchesApi.useDeleteSitesMutation();
  const send = ({ verb, ids: siteIds, group, withCache }: Form) => {
    const ids = [...siteIds];
    if (verb === 'test') return test({ ids });
    if (verb === 'backup') return backup({ ids, exclude_cache: !withCache });
    if (verb === 'delete') return remove({ ids });
    return move({ ids, verb, group_id: group?.id ?? '' });
  };
  const calls = { test: testing, backup: backingUp, join: moving, leave: moving, delete: removing };
  return { send, calls };
}

/** Starts a batch. The dock follows its jobs; a batch without jobs is done at once. */
export function useStartBatch(verb: SiteBatchVerb, onDone: () => void) {
  const { send, calls } = useBatchMutation();
  const followBatch = useFollowBatch();
  const startBatch = async (form: Omit<Form, 'verb'>): Promise<void> => {
    const { data } = await send({ ...form, verb });
    if (!data) return;
    toast.success(batchTexts[verb].done(form.ids.length, form.group?.name ?? ''));
    onDone();
    if ('job_id' in data) followBatch(data.job_id);
  };
  return { startBatch: (form: Omit<Form, 'verb'>) => void startBatch(form), call: calls[verb] };
}
