import { Button, Drawer } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Drawer.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { OpenConsoles } from '../../features/consoles/OpenConsoles';
import { JobsPanel } from '../../features/jobs/JobsPanel';
import { useReturnFocus } from '../../ui/useReturnFocus';
import styles from './DockSheet.module.css';
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
      title={titles[view]}
      closeButtonProps={{ 'aria-label': 'Fermer', iconSize: 20 }}
    >
      {view === 'jobs' ? (
        <JobsPanel jobId={jobId} focusRequests={dockFocusRequests} onShow={onShow} />
      ) : (
        <div className={styles['consoles']}>
          <OpenConsoles onOpen={onClose} />
        </div>
      )}
      <div className={styles['foot']}>
        <Button variant="default" fullWidth onClick={() => onOpenView(other)}>
          {`Voir les ${titles[other].toLowerCase()}`}
        </Button>
      </div>
    </Drawer>
  );
}
