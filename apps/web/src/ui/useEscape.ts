import { type RefObject, useEffect, useEffectEvent } from 'react';

type Layer = RefObject<HTMLElement | null>;

/** What is open and closes by Escape; what came up last stands last. */
const layers: Layer[] = [];

/** A search that has something in it is emptied first, as its browser does by itself. */
export const isEmptied = ({ target }: { target: EventTarget | null }): boolean =>
  target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';

/** Whose Escape it is: a dialog that knows nothing of these has its own. */
function answering(target: EventTarget | null): Layer | undefined {
  // A button that was put out leaves the focus in nothing: then it is about what lies on top.
  if (!(target instanceof Element)) return layers.at(-1);
  const holding = layers.findLast(({ current }) => current?.contains(target));
  if (holding) return holding;
  const dialog = target.closest('[role=dialog]');
  return dialog ? layers.findLast(({ current }) => dialog.contains(current)) : layers.at(-1);
}

/** Escape belongs to one: what holds the focus, else what lies on top. */
export function useEscape(own: Layer, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isEmptied(event)) return;
      if (answering(event.target) !== own) return;
      // What lies under it would be on top at once.
      event.preventDefault();
      escape();
    };
    layers.push(own);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      layers.splice(layers.indexOf(own), 1);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [own]);
}
