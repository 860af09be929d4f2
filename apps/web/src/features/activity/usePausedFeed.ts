import type { ActivityItem } from '@vigie/contracts/activity';
import { type FocusEvent, type PointerEvent, useRef, useState } from 'react';

type Items = readonly ActivityItem[] | undefined;
const unpaused = { items: undefined as Items, filter: '', isHovered: false, isFocused: false };

/** Holds new lines back while the pointer or the focus is in the list, so that nothing moves under a click. */
export function usePausedFeed(items: Items, filter: string) {
  const [state, setState] = useState(unpaused);
  const paused = state.filter === filter ? state : unpaused;
  const list = useRef<HTMLDivElement>(null);
  const pause = (change: Partial<typeof unpaused>) =>
    setState((previous) => {
      const now = { ...previous, ...change, filter };
      if (!now.isHovered && !now.isFocused) return unpaused;
      return { ...now, items: (previous.filter === filter ? previous.items : undefined) ?? items };
    });
  const first = paused.items?.[0];
  const newCount = first ? (items ?? []).filter(({ created_at: at }) => at > first.created_at).length : 0;
  return {
    visibleItems: newCount > 0 ? paused.items : items,
    waiting: newCount,
    /** Moves the focus to the list, because the pressed button disappears. The list itself does not hold lines back. */
    showNew: () => {
      list.current?.focus({ preventScroll: true });
      setState((previous) => (previous.isHovered ? { ...previous, items, isFocused: false } : unpaused));
    },
    list,
    handlers: {
      // A touch has no hover, and no end of it.
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && pause({ isHovered: true }),
      onPointerLeave: () => pause({ isHovered: false }),
      onFocus: ({ target }: FocusEvent) => pause({ isFocused: target !== list.current }),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) pause({ isFocused: false });
      },
    },
  };
}
