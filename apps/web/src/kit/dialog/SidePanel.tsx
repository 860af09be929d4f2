/* oxlint-disable jsx-a11y/prefer-tag-over-role -- <dialog> lies over the toasts, which must stay in reach */
import { FocusTrap, Group, Stack } from '@mantine/core';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../../ui/IconButton';
import styles from './dialog.module.css';
import { useEscape } from '../../ui/useEscape';
import { useNarrow } from '../../ui/useNarrow';
import { useReturnFocus } from '../../ui/focus';

type Props = {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Stays visible while the content scrolls. */
  foot?: ReactNode;
};

/** A panel beside the page; on a narrow screen it lies over the page and traps the focus. */
export function SidePanel({ title, onClose, children, foot }: Props) {
  const isOver = useNarrow(1024);
  const heading = useId();
  const panel = useRef<HTMLElement>(null);
  useReturnFocus();
  useEffect(() => {
    // The code of a panel may arrive while somebody types into the palette.
    if (!document.activeElement?.matches('[role=dialog] [role=combobox]'))
      panel.current?.focus({ preventScroll: true });
  }, []);
  useEscape(panel, onClose);
  return createPortal(
    <>
      {isOver && <div className={styles['backdrop']} onClick={onClose} aria-hidden />}
      <FocusTrap active={isOver} innerRef={panel}>
        <section
          role="dialog"
          aria-modal={isOver || undefined}
          aria-labelledby={heading}
          tabIndex={-1}
          data-side-panel
          className={styles['panel']}
        >
          <div className={styles['head']}>
            <h2 id={heading}>{title}</h2>
            <IconButton icon={X} label="Fermer" onClick={onClose} />
          </div>
          <Stack flex={1} gap={0} mih={0} style={{ overflowY: 'auto' }}>
            {children}
          </Stack>
          {foot && (
            <Group justify="flex-end" gap="8px 16px" className={styles['foot']}>
              {foot}
            </Group>
          )}
        </section>
      </FocusTrap>
    </>,
    document.body,
  );
}
