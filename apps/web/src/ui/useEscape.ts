import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Escape belongs to what lies on top: a dialog that was opened over this one has its own. */
export function useEscape(own: RefObject<HTMLElement | null>, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      const dialog = event.target instanceof Element ? event.target.closest('[role=dialog]') : null;
      if (dialog === null || own.current === null || dialog.contains(own.current) || own.current.contains(dialog))
        escape();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [own]);
}
