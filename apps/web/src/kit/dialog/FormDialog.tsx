import { Modal } from '@mantine/core';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Failure } from '../../ui/Failure';
import { useReturnFocus } from '../../ui/focus';
import { IconButton } from '../../ui/IconButton';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { useEscape } from '../../ui/useEscape';
import { useNarrow } from '../../ui/useNarrow';
import styles from './dialog.module.css';

/** Ctrl or ⌘ with Enter submits the form from any field, also from a text area. */
function useSubmitKey(inside: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if (!(event.target instanceof Node) || !inside.current?.contains(event.target)) return;
      event.preventDefault();
      inside.current.querySelector('form')?.requestSubmit();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [inside]);
}

type Props = { title: string; isWide?: boolean; onClose: () => void; children: ReactNode };

/** A form over the page. A click outside does not close it, because that would lose the typed values. */
export function FormDialog({ title, isWide = false, onClose, children }: Props) {
  const isNarrow = useNarrow(768);
  const inside = useRef<HTMLDivElement>(null);
  useReturnFocus();
  useEscape(inside, onClose);
  useSubmitKey(inside);
  return (
    <Modal.Root
      opened
      centered
      size={isWide ? 760 : 600}
      zIndex={250}
      fullScreen={isNarrow}
      closeOnEscape={false}
      closeOnClickOutside={false}
      returnFocus={false}
      padding={0}
      classNames={{ content: `${styles['frame']} ${styles['form']}` }}
      onClose={onClose}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--backdrop)" />
      <Modal.Content>
        <div ref={inside}>
          <div className={styles['head']}>
            <Modal.Title miw={0}>{title}</Modal.Title>
            <IconButton icon={X} label="Fermer" onClick={onClose} />
          </div>
          {children}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

type DialogLoadingProps = {
  title: string;
  answer: { isFetching: boolean; refetch: () => unknown };
  /** Why the data of the form could not be read. */
  failure: string | undefined;
  onClose: () => void;
};

/** A dialog that waits for the initial data of its form. */
export function DialogLoading({ title, answer: { isFetching, refetch }, failure, onClose }: DialogLoadingProps) {
  return (
    <FormDialog title={title} onClose={onClose}>
      <div className={styles['content']}>
        {failure === undefined ? (
          <Skeleton rows={5} height={64} />
        ) : (
          <Failure sentence={failure}>
            <RetryButton isBusy={isFetching} onRetry={refetch} />
          </Failure>
        )}
      </div>
    </FormDialog>
  );
}
