import { Button } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './More.module.css';

type Props = { isGrowing: boolean; onMore: () => void; children?: ReactNode };

/** The way to the next page; with the last one it goes, and leaves the focus to the rows above it. */
export function More({ isGrowing, onMore, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const isUsed = useRef(false);
  useLayoutEffect(() => {
    const { current: element } = place;
    return () => {
      const { activeElement: active } = document;
      // While it waits for its page, nothing has the focus.
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
