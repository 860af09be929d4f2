import { Box, Button, Stack } from '@mantine/core';
import { OpenConsoles } from '../../features/consoles/OpenConsoles';
import { JobsPanel } from '../../features/jobs/JobsPanel';
import { Sheet } from '../layout/Sheet';
import { type DockView, dockFocusRequests } from './dock';

type Props = {
  jobId: string | undefined;
  view: DockView;
  onShow: (id: string | undefined) => void;
  onOpenView: (view: DockView) => void;
  onClose: () => void;
};

const titles: Record<DockView, string> = { jobs: 'Tâches', consoles: 'Consoles' };

export function DockSheet({ jobId, view, onShow, onOpenView, onClose }: Props) {
  const other = view === 'jobs' ? 'consoles' : 'jobs';
  return (
    <Sheet
      title={titles[view]}
      size="min(640px, 88dvh)"
      zIndex={220}
      styles={{
        content: { display: 'flex', flexDirection: 'column' },
        body: { display: 'flex', flex: 1, minHeight: 0, padding: 0 },
      }}
      onClose={onClose}
    >
      <Stack variant="lines" gap={0} flex={1} miw={0}>
        {view === 'jobs' ? (
          <JobsPanel jobId={jobId} focusRequests={dockFocusRequests} onShow={onShow} />
        ) : (
          <Box flex={1} mih={0} style={{ overflow: 'auto' }}>
            <OpenConsoles onOpen={onClose} />
          </Box>
        )}
        <Box flex="none" p="8px 16px">
          <Button variant="default" fullWidth onClick={() => onOpenView(other)}>
            {`Voir les ${titles[other].toLowerCase()}`}
          </Button>
        </Box>
      </Stack>
    </Sheet>
  );
}
