import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import code from './code.module.css';

function useIsScrollable(box: RefObject<HTMLElement | null>): boolean {
  const [isScrollable, setScrollable] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setScrollable(element.scrollHeight > element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return isScrollable;
}

type Props = { ref?: RefObject<HTMLElement | null>; children: ReactNode };

/** Text of a machine. If it is too long for its box, the box takes the focus, so that the keyboard can scroll it. */
export function CodeBox({ ref, children }: Props) {
  const ownRef = useRef<HTMLElement>(null);
  const box = ref ?? ownRef;
  const isScrollable = useIsScrollable(box);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <code ref={box} tabIndex={isScrollable ? 0 : undefined} className={code['code']}>
      {children}
    </code>
  );
}
