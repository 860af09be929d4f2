import { tellFailure } from '../../app/tellFailure';
import { zoneFilesApi } from './records.api';

function saveText(filename: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(address);
}

/** The zone as a file, as BIND reads it. */
export function useExport(zone: string) {
  const [exportZone, { isLoading }] = zoneFilesApi.useExportZoneMutation();
  const run = async () => {
    const { data, error } = await exportZone(zone);
    if (data) saveText(data.filename, data.content);
    else tellFailure(error, 'Failed to export zone file');
  };
  return { isBusy: isLoading, run: () => void run() };
}
