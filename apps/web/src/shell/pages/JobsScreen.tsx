import { Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import { JobsPage } from '../../features/jobs/JobsPage';
import widths from '../../ui/widths.module.css';
import { openConsoles } from '../dock/dock';

/** On a phone, where the dock has no bar, this screen leads to the consoles. */
export const JobsScreen = ({ search }: Pick<ComponentProps<typeof JobsPage>, 'search'>) => (
  <JobsPage
    search={search}
    action={
      <Button variant="default" className={widths['onPhone'] ?? ''} onClick={openConsoles}>
        Voir les consoles
      </Button>
    }
  />
);
