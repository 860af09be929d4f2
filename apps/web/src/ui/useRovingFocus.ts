import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';

const controlsOf = (row: HTMLElement | null): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>('button:enabled, a[href], input:enabled') ?? []),
];

type Roving<T> = {
  ref: RefObject<T | null>;
  onFocus: (event: FocusEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** Makes one Tab stop of the controls of a row; the arrows, Home and End move between them. */
export function useRovingFocus<T extends HTMLElement>(): Roving<T> {
  const ref = useRef<T>(null);
  const last = useRef<Element>(undefined);
  const update = () => {
    const controls = controlsOf(ref.current);
    const stop = controls.find((control) => control === last.current) ?? controls[0];
    for (const control of controls) control.tabIndex = control === stop ? 0 : -1;
  };
  useLayoutEffect(update);
  return {
    ref,
    onFocus: ({ target }) => {
      // A menu is a React child of its button, and stands elsewhere in the document.
      if (!ref.current?.contains(target)) return;
      last.current = target;
      update();
    },
    onKeyDown: (event) => {
      const controls = controlsOf(ref.current);
      const at = controls.findIndex((control) => control === event.target);
      if (at < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      controls.at(next % controls.length)?.focus();
    },
  };
}
