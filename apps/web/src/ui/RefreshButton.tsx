import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';

/** What a button does, whether it is being done, and why it was not. */
export type Busy = { isBusy: boolean; run: () => void; failure?: string | undefined };

export const RefreshButton = ({ isBusy, run, children }: Omit<Busy, 'failure'> & { children: string }) => (
  <Button variant="default" loading={isBusy} leftSection={<RefreshCw size={16} aria-hidden />} onClick={run}>
    {children}
  </Button>
);
