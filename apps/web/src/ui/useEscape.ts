import { type RefObject, useEffect, useEffectEvent } from 'react';

type Layer = RefObject<HTMLElement | null>;

/** The open layers that Escape can close, newest last. */
const layers: Layer[] = [];

/** In a search field with text, Escape clears the field, which the browser does itself. */
export const clearsSearch = ({ target }: { target: EventTarget | null }): boolean =>
  target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';

/** A dialog that is no layer handles its own Escape. */
function findLayer(target: EventTarget | null): Layer | undefined {
  // A button that was disabled while focused leaves the focus nowhere: the top layer closes.
  if (!(target instanceof Element)) return layers.at(-1);
  const focusedLayer = layers.findLast(({ current }) => current?.contains(target));
  if (focusedLayer) return focusedLayer;
  const dialog = target.closest('[role=dialog]');
  return dialog ? layers.findLast(({ current }) => dialog.contains(current)) : layers.at(-1);
}

/** Escape closes one layer: the one with the focus, or else the top one. */
export function useEscape(layer: Layer, onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing || clearsSearch(event)) return;
      if (findLayer(event.target) !== layer) return;
      // Without this, the same key press would close the layer below too.
      event.preventDefault();
      escape();
    };
    layers.push(layer);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [layer]);
}
