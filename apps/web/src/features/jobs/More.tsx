import { Button } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './More.module.css';

type Props = { isGrowing: boolean; onMore: () => void; children?: ReactNode };

/** Loads the next page. The button disappears with the last one, and moves the focus to the row above. */
export function More({ isGrowing, onMore, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const isUsed = useRef(false);
  useLayoutEffect(() => {
    const { current: element } = place;
    return () => {
      const { activeElement: active } = document;
      // A loading button is disabled and loses the focus.
      const hadFocus = element?.contains(active) || (isUsed.current && active === document.body);
      if (!hadFocus) return;
      const rows = element?.parentElement?.querySelectorAll<HTMLElement>('[data-row]');
      rows?.item(rows.length - 1)?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div ref={place} className={styles['more']}>
      {children}
      <Button
        variant="default"
        loading={isGrowing}
        onClick={() => {
          isUsed.current = true;
          onMore();
        }}
      >
        Afficher plus
      </Button>
    </div>
  );
}
