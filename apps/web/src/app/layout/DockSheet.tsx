import { Drawer } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { JobsPanel } from '../../features/jobs/JobsPanel';
import { useReturnFocus } from '../../ui/useReturnFocus';
import styles from './DockSheet.module.css';
import { dockCalls } from './dock';

type Props = { job: string | undefined; onShow: (id: string | undefined) => void; onClose: () => void };

/** The dock where it has no room beside the page. */
export function DockSheet({ job, onShow, onClose }: Props) {
  useReturnFocus();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="bottom"
      size="min(640px, 88dvh)"
      zIndex={220}
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)' }}
      classNames={{ content: styles['content'], body: styles['body'], title: styles['title'], close: styles['close'] }}
      title="Tâches"
      closeButtonProps={{ 'aria-label': 'Fermer', iconSize: 20 }}
    >
      <JobsPanel job={job} calls={dockCalls} onShow={onShow} />
    </Drawer>
  );
}
