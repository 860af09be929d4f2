import { readSiteCsv } from '@vigie/contracts/site-csv-file';
import { useState } from 'react';
import { sentenceOf } from '../../kit/query/failures';
import { sendParts } from '../../kit/query/parts';
import { session } from '../../kit/query/session';
import { plural } from '../../ui/plural';
import { emptyImport, markRepeats, mergeImports } from './lines';
import { type ImportResult, importFailed, type PreviewLine, previewFailed, siteCsvApi } from './site-csv.api';

export type Preview = { lines: readonly PreviewLine[]; ignored: readonly string[] };

type Answer<T> = { data?: T; error?: unknown };

/** Calls for one part after the other, as long as the same person is logged in. */
function useParts<Item, T>(call: (part: Item[]) => PromiseLike<Answer<T>>, fallback: string) {
  const [isBusy, setBusy] = useState(false);
  const run = async (items: readonly Item[]) => {
    const { userId } = session.get();
    let failure = fallback;
    setBusy(true);
    const sent = await sendParts(items, async (part) => {
      if (session.get().userId !== userId) return undefined;
      const { data, error } = await call(part);
      if (data === undefined) failure = sentenceOf(error) ?? fallback;
      return data;
    });
    setBusy(false);
    return { ...sent, failure: sent.isComplete ? undefined : failure };
  };
  return { run, isBusy };
}

/** Reads a file and asks what would become of its lines. */
export function usePreview() {
  const [send] = siteCsvApi.usePreviewSiteCsvMutation();
  const parts = useParts((lines: PreviewLine['typed'][]) => send({ lines }), previewFailed);
  const [preview, setPreview] = useState<Preview>();
  const [failure, setFailure] = useState<string>();
  const read = async (text: string) => {
    const file = readSiteCsv(text);
    setFailure('refusal' in file ? file.refusal : undefined);
    if ('refusal' in file) return;
    const { answers, failure: callFailure } = await parts.run(file.lines);
    if (callFailure !== undefined) return setFailure(callFailure);
    const verdicts = new Map(answers.flatMap(({ items }) => items).map((verdict) => [verdict.line, verdict]));
    const lines = file.lines.flatMap((typed) => {
      const verdict = verdicts.get(typed.line);
      return verdict ? [{ typed, verdict }] : [];
    });
    setPreview({ lines: markRepeats(lines), ignored: file.ignored });
  };
  return { preview, failure, isBusy: parts.isBusy, setFailure, read, forget: () => setPreview(undefined) };
}

const progressText = (count: number) =>
  count === 0 ? '' : `${plural(count, 'site est importé', 'sites sont importés')}\u202f; réessayez pour les autres. `;

/** Imports lines. After a failure the same button goes on: what is imported already is found again, and left alone. */
export function useImport(onDone: (outcome: ImportResult) => void) {
  const [send] = siteCsvApi.useImportSiteCsvMutation();
  const parts = useParts((lines: PreviewLine['typed'][]) => send({ lines }), importFailed);
  const [failure, setFailure] = useState<string>();
  const [done, setDone] = useState(emptyImport);
  const run = async (lines: readonly PreviewLine['typed'][]) => {
    setFailure(undefined);
    const doneLines = new Set([...done.items, ...done.skipped, ...done.refused].map(({ line }) => line));
    const { answers, failure: callFailure } = await parts.run(lines.filter(({ line }) => !doneLines.has(line)));
    const all = answers.reduce(mergeImports, done);
    setDone(all);
    if (callFailure === undefined) onDone(all);
    else setFailure(`${progressText(all.items.length)}${callFailure}`);
  };
  return { run, failure, isBusy: parts.isBusy };
}
