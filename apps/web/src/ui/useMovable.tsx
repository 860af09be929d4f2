import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

type Host = { element: HTMLElement; held: RefObject<HTMLElement | null> };

function Place({ element, held }: Host) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.append(element);
    held.current?.focus({ preventScroll: true });
    return () => {
      const focused = document.activeElement;
      held.current = focused instanceof HTMLElement && element.contains(focused) ? focused : null;
    };
  }, [element, held]);
  return <div ref={place} />;
}

/** Keeps the typed text and the focus of the children when another window width moves them to another `place`. */
export function useMovable(children: ReactNode): { moved: ReactNode; place: ReactNode } {
  const [element] = useState(() => document.createElement('div'));
  const held = useRef<HTMLElement>(null);
  return { moved: createPortal(children, element), place: <Place element={element} held={held} /> };
}
