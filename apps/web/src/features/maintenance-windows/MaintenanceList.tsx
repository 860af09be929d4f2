import { Box, Group, Text } from '@mantine/core';
import type { MaintenanceWindow } from '@vigie/contracts/maintenance-windows';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import { failureMessage } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { useFocusHandOver } from '../../ui/focus';
import { IconButton } from '../../ui/IconButton';
import { Lines } from '../../ui/Lines';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { ownTimeZone } from '../../ui/time-zone';
import { toast } from '../../ui/toasts';
import { useNow } from '../../ui/useNow';
import { maintenanceApi, type Target, useMaintenanceWindows } from './maintenance-windows.api';
import { aboutWindow, isRunningOnce, windowWords } from './words';

const tickMs = 30_000;

type LineProps = { window: MaintenanceWindow; target: Target; now: Date; onEnd: () => void };

function WindowLine({ window, target, now, onEnd }: LineProps) {
  const element = useFocusHandOver<HTMLLIElement>('[data-maintenance]');
  return (
    <li ref={element}>
      <Group gap={8} wrap="nowrap" justify="space-between" p="8px 4px 8px 12px">
        <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
          <Text fw={window.running_until === null ? 400 : 600}>{windowWords(window, now, ownTimeZone)}</Text>
          <Text variant="hint">{aboutWindow(window, target)}</Text>
        </Box>
        {window.can_delete && (
          <IconButton
            isAtEdge
            icon={Trash2}
            label={isRunningOnce(window) ? 'Terminer la maintenance' : 'Supprimer la maintenance'}
            onClick={onEnd}
          />
        )}
      </Group>
    </li>
  );
}

type EndProps = { window: MaintenanceWindow; now: Date; onClose: () => void };

function EndWindow({ window, now, onClose }: EndProps) {
  const [deleteWindow, call] = maintenanceApi.useDeleteMaintenanceWindowMutation();
  const isOver = isRunningOnce(window);
  const action = isOver ? 'Terminer' : 'Supprimer';
  const confirm = async () => {
    const { error } = await deleteWindow({ id: window.id });
    if (error) return;
    toast.success(isOver ? 'Maintenance terminée.' : 'Maintenance supprimée.');
    onClose();
  };
  return (
    <ConfirmDialog
      title={`${action} cette maintenance\u202f?`}
      action={action}
      color="accent"
      call={call}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{`${windowWords(window, now, ownTimeZone)}. Les échecs des visites compteront.`}</p>
    </ConfirmDialog>
  );
}

/** The maintenance of a site or group that runs, or is still to come. */
export function MaintenanceList({ target }: { target: Target }) {
  const { currentData, error, isFetching, refetch } = useMaintenanceWindows(target);
  const [ended, setEnded] = useState<MaintenanceWindow>();
  const now = useNow(tickMs);
  const failure = failureMessage(error, 'Les maintenances n’ont pas pu être lues.');
  return (
    <>
      <Failure sentence={failure}>
        <RetryButton isBusy={isFetching} onRetry={refetch} />
      </Failure>
      {!currentData && failure === undefined && <Skeleton rows={1} height={48} />}
      {currentData?.items.length === 0 && <Text c="muted">Aucune maintenance prévue.</Text>}
      {currentData && currentData.items.length > 0 && (
        <Lines isFramed>
          {currentData.items.map((window) => (
            <WindowLine key={window.id} window={window} target={target} now={now} onEnd={() => setEnded(window)} />
          ))}
        </Lines>
      )}
      {ended && <EndWindow window={ended} now={now} onClose={() => setEnded(undefined)} />}
    </>
  );
}
