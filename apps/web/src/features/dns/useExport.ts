import { sentenceOf } from '../../kit/query/failures';
import { saveFile } from '../../ui/saveFile';
import { recordsApi } from './records.api';

/** Downloads the zone as a BIND file. */
export function useExport(zoneId: string) {
  const [exportZone, { isLoading, error }] = recordsApi.useExportZoneMutation();
  const run = async () => {
    const { data } = await exportZone({ zone_id: zoneId });
    if (data) saveFile(data.filename, new Blob([data.content], { type: 'text/plain' }));
  };
  return { isBusy: isLoading, failure: sentenceOf(error), run: () => void run() };
}
