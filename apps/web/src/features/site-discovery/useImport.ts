import { useState } from 'react';
import { session } from '../../kit/query/session';
import { sentenceOf } from '../../kit/query/failures';
import { plural } from '../../ui/plural';
import type { ImportChoice } from './choices';
import { sendParts } from '../../kit/query/parts';
import { discoveryApi, importFailed, type ImportResult } from './site-discovery.api';
import type { Draft } from './useDraft';

const emptyImport: ImportResult = { items: [], skipped: [] };

const mergeImports = (first: ImportResult, second: ImportResult): ImportResult => ({
  items: [...first.items, ...second.items],
  skipped: [...first.skipped, ...second.skipped],
});

const progressText = (count: number) =>
  count === 0 ? '' : `${plural(count, 'site est importé', 'sites sont importés')}\u202f; les autres restent cochés. `;

/** Imports the chosen sites in parts. After a failure, the same button retries the remaining ones. */
export function useImport(serverId: string, draft: Draft) {
  const [send] = discoveryApi.useImportSitesMutation();
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [previousImport, setPreviousImport] = useState(emptyImport);
  const [outcome, setOutcome] = useState<ImportResult>();
  const run = async (chosen: readonly ImportChoice[]): Promise<void> => {
    const { userId } = session.get();
    let sentence = importFailed;
    setFailure(undefined);
    setSending(true);
    const items = chosen.map(({ site, name, url }) => ({ path: site.path, name, url }));
    const { answers, isComplete } = await sendParts(items, async (part) => {
      if (session.get().userId !== userId) return undefined;
      const form = { server_id: serverId, items: part, groups: draft.groups };
      const { data, error } = await send(form);
      if (!data) sentence = sentenceOf(error) ?? importFailed;
      return data;
    });
    setSending(false);
    const imported = answers.reduce(mergeImports, emptyImport);
    const allImported = mergeImports(previousImport, imported);
    setPreviousImport(allImported);
    draft.markImported([...imported.items, ...imported.skipped.map(({ path, site_id: id }) => ({ path, id }))]);
    if (!isComplete) return setFailure(`${progressText(imported.items.length)}${sentence}`);
    draft.clear();
    setOutcome(allImported);
  };
  return { run, isSending, failure, outcome };
}
