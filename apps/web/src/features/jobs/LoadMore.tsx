import { Button, Group } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './jobs.module.css';

type Props = { isLoading: boolean; onLoadMore: () => void; children?: ReactNode };

/** Loads the next page. The button disappears with the last one, and moves the focus to the row above. */
export function LoadMore({ isLoading, onLoadMore, children }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    const { current: element } = container;
    return () => {
      const { activeElement: active } = document;
      // A loading button is disabled and loses the focus.
      const hadFocus = element?.contains(active) || (wasPressed.current && active === document.body);
      if (!hadFocus) return;
      const rows = element?.parentElement?.querySelectorAll<HTMLElement>('[data-row]');
      rows?.item(rows.length - 1)?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <Group
      ref={container}
      justify="center"
      gap="8px 12px"
      p="12px 16px"
      c="muted"
      fz={13}
      lh="18px"
      className={styles['under']}
    >
      {children}
      <Button
        variant="default"
        loading={isLoading}
        onClick={() => {
          wasPressed.current = true;
          onLoadMore();
        }}
      >
        Afficher plus
      </Button>
    </Group>
  );
}
