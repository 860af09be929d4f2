import { Modal } from '@mantine/core';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { useMediaQuery } from '@mantine/hooks';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import styles from './FormDialog.module.css';
import { IconButton } from './IconButton';
import { useEscape } from './useEscape';
import { useReturnFocus } from './useReturnFocus';

/** Ctrl or ⌘ with Enter sends the form from any of its fields, those of many lines too. */
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

/** A form over the page. A click beside it closes nothing: what is typed is worth more. */
export function FormDialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const isNarrow = useMediaQuery('(width < 768px)', undefined, { getInitialValueInEffect: false });
  const heading = useId();
  const inside = useRef<HTMLDivElement>(null);
  useReturnFocus();
  useEscape(inside, onClose);
  useSubmitKey(inside);
  return (
    <Modal
      opened
      centered
      size={600}
      zIndex={250}
      fullScreen={isNarrow}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      returnFocus={false}
      padding={0}
      onClose={onClose}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)' }}
      classNames={{ content: styles['content'] }}
      aria-labelledby={heading}
    >
      <div ref={inside}>
        <header className={styles['head']}>
          <h2 id={heading}>{title}</h2>
          <IconButton icon={X} label="Fermer" onClick={onClose} className={styles['close']} />
        </header>
        {children}
      </div>
    </Modal>
  );
}
