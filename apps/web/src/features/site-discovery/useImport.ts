import { useState } from 'react';
import { session } from '../../app/session';
import { tellFailure } from '../../app/tellFailure';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { plural } from '../../ui/plural';
import type { Choice } from './choices';
import { importParts, joined, nothing } from './parts';
import { discoveryApi, type Imported } from './site-discovery.api';
import type { Draft } from './useDraft';

const failed = 'Échec de la création du site.';

const restOf = (count: number) =>
  count === 0 ? '' : `${plural(count, 'site est importé', 'sites sont importés')}\u202f; les autres restent cochés. `;

/** Makes what was chosen, in parts; what a failing part leaves is tried again by the same button. */
export function useImport(server: string, draft: Draft) {
  const [send] = discoveryApi.useImportSitesMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [before, setBefore] = useState(nothing);
  const [outcome, setOutcome] = useState<Imported>();
  const run = async (chosen: readonly Choice[]): Promise<void> => {
    const { userId } = session.get();
    let sentence = failed;
    setFailure(undefined);
    setSending(true);
    const items = chosen.map(({ found, name, url }) => ({ path: found.path, name, url }));
    const { made, isWhole } = await importParts(items, async (part) => {
      if (session.get().userId !== userId) return undefined;
      const form = { server_id: server, items: part, groups: draft.groups };
      const { data, error } = await send({ form, idempotencyKey: keyFor(form) });
      if (data) renewKey();
      else sentence = tellFailure(error, failed);
      return data;
    });
    setSending(false);
    const all = joined(before, made);
    setBefore(all);
    draft.settle([...made.items, ...made.skipped.map(({ path, site_id: id }) => ({ path, id }))]);
    if (!isWhole) return setFailure(`${restOf(made.items.length)}${sentence}`);
    draft.clear();
    setOutcome(all);
  };
  return { run, isSending, failure, outcome };
}
