import { useState } from 'react';
import { saveFile } from '../../ui/saveFile';
import type { Call } from './baseQuery';
import { fetchFile } from './files';

/** Downloads files that Vigie makes on request. */
export function useExport() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async (filename: string, call: Call): Promise<void> => {
    setBusy(true);
    const { file, failure: exportFailure } = await fetchFile(call, 'L’export n’est pas arrivé entier.');
    setBusy(false);
    setFailure(exportFailure);
    if (file) saveFile(filename, file);
  };
  return { isBusy, failure, run: (filename: string, call: Call) => void run(filename, call) };
}
