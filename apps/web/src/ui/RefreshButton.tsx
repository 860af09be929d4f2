import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';

/** What a button does, and whether it is being done. */
export type Busy = { isBusy: boolean; run: () => void };

export const RefreshButton = ({ isBusy, run, children }: Busy & { children: string }) => (
  <Button variant="default" loading={isBusy} leftSection={<RefreshCw size={16} aria-hidden />} onClick={run}>
    {children}
  </Button>
);
