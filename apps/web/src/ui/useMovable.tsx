import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

type MovableHost = { element: HTMLElement; focusedElement: RefObject<HTMLElement | null> };

function Slot({ element, focusedElement }: MovableHost) {
  const slot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    slot.current?.append(element);
    focusedElement.current?.focus({ preventScroll: true });
    return () => {
      const focused = document.activeElement;
      focusedElement.current = focused instanceof HTMLElement && element.contains(focused) ? focused : null;
    };
  }, [element, focusedElement]);
  return <div ref={slot} />;
}

/** Keeps the typed text and the focus of the children when another window width moves them to another slot. */
export function useMovable(children: ReactNode): { portal: ReactNode; slot: ReactNode } {
  const [element] = useState(() => document.createElement('div'));
  const focusedElement = useRef<HTMLElement>(null);
  return { portal: createPortal(children, element), slot: <Slot element={element} focusedElement={focusedElement} /> };
}
