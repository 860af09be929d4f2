import { Box } from '@mantine/core';
import { OpenConsoles } from '../../features/consoles/OpenConsoles';
import { Sheet } from '../layout/Sheet';

/** The consoles on a phone. */
export const DockSheet = ({ onClose }: { onClose: () => void }) => (
  <Sheet
    title="Consoles"
    size="min(640px, 88dvh)"
    zIndex={220}
    styles={{
      content: { display: 'flex', flexDirection: 'column' },
      body: { display: 'flex', flex: 1, minHeight: 0, padding: 0 },
    }}
    onClose={onClose}
  >
    <Box flex={1} miw={0} style={{ overflow: 'auto' }}>
      <OpenConsoles onOpen={onClose} />
    </Box>
  </Sheet>
);
