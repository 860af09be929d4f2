import { type RefObject, useEffect, useEffectEvent } from 'react';

type Layer = RefObject<HTMLElement | null>;

/** The open layers that Escape can close, newest last. */
const layers: Layer[] = [];

/** In a search field with text, Escape clears the field, which the browser does itself. */
export const isEmptied = ({ target }: { target: EventTarget | null }): boolean =>
  target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';

/** A dialog that is no layer handles its own Escape. */
function answering(target: EventTarget | null): Layer | undefined {
  // A button that was disabled while focused leaves the focus nowhere: the top layer closes.
  if (!(target instanceof Element)) return layers.at(-1);
  const holding = layers.findLast(({ current }) => current?.contains(target));
  if (holding) return holding;
  const dialog = target.closest('[role=dialog]');
  return dialog ? layers.findLast(({ current }) => dialog.contains(current)) : layers.at(-1);
}

/** Escape closes one layer: the one with the focus, or else the top one. */
export function useEscape(own: Layer, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || isEmptied(event)) return;
      if (answering(event.target) !== own) return;
      // Without this, the same key press would close the layer below too.
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
