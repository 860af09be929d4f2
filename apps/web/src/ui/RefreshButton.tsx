import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import brief from './Brief.module.css';

export type AsyncAction = { isBusy: boolean; run: () => void; failure?: string | undefined };

export const RefreshButton = ({ isBusy, run, children }: Omit<AsyncAction, 'failure'> & { children: string }) => (
  <Button
    variant="default"
    className={brief['brief']}
    loading={isBusy}
    leftSection={<RefreshCw size={16} aria-hidden />}
    onClick={run}
  >
    <span className={brief['words']}>{children}</span>
  </Button>
);
