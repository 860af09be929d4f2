import { Button, Group } from '@mantine/core';
import { createMaintenanceWindow } from '@vigie/contracts/maintenance-windows';
import type { Site } from '@vigie/contracts/sites';
import { Wrench } from 'lucide-react';
import { useId, useState } from 'react';
import { allows } from '../../kit/fleet/roles';
import { MaintenanceDialog } from './MaintenanceDialog';
import { MaintenanceList } from './MaintenanceList';

/** When failures of a site count for nothing. */
export function SiteMaintenance({ site }: { site: Site }) {
  const [isPlanning, setPlanning] = useState(false);
  const heading = useId();
  const target = { kind: 'site' as const, id: site.id, name: site.name };
  return (
    <section aria-labelledby={heading} tabIndex={-1} data-maintenance style={{ outline: 'none' }}>
      <Group justify="space-between" gap={8} mb={8}>
        <h3 id={heading}>Maintenance</h3>
        {allows(site, createMaintenanceWindow) && (
          <Button variant="default" leftSection={<Wrench size={16} aria-hidden />} onClick={() => setPlanning(true)}>
            Prévoir une maintenance
          </Button>
        )}
      </Group>
      <MaintenanceList target={target} />
      {isPlanning && <MaintenanceDialog target={target} onClose={() => setPlanning(false)} />}
    </section>
  );
}
