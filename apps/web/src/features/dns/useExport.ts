import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { saveFile } from '../../ui/saveFile';
import { recordsApi } from './records.api';

/** Downloads the zone as a BIND file. */
export function useExport(zoneId: string) {
  const [exportZone, { isLoading }] = recordsApi.useExportZoneMutation();
  const [failure, setFailure] = useState<string>();
  const run = async () => {
    setFailure(undefined);
    const { data, error } = await exportZone({ zone_id: zoneId });
    if (data) saveFile(data.filename, new Blob([data.content], { type: 'text/plain' }));
    else setFailure(reportFailure(error, 'Failed to export zone file'));
  };
  return { isBusy: isLoading, failure, run: () => void run() };
}
