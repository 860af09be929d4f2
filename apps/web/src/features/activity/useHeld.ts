import type { ActivityItem } from '@vigie/contracts/activity';
import { type FocusEvent, type PointerEvent, useRef, useState } from 'react';

type Items = readonly ActivityItem[] | undefined;
const nothing = { items: undefined as Items, filter: '', isPointed: false, isFocused: false };

/** Holds new lines back while the pointer or the focus is in the list, so that nothing moves under a click. */
export function useHeld(items: Items, filter: string) {
  const [known, setHeld] = useState(nothing);
  const held = known.filter === filter ? known : nothing;
  const list = useRef<HTMLUListElement>(null);
  const hold = (by: Partial<typeof nothing>) =>
    setHeld((before) => {
      const now = { ...before, ...by, filter };
      if (!now.isPointed && !now.isFocused) return nothing;
      return { ...now, items: (before.filter === filter ? before.items : undefined) ?? items };
    });
  const first = held.items?.[0];
  const waiting = first ? (items ?? []).filter(({ created_at: at }) => at > first.created_at).length : 0;
  return {
    shown: waiting > 0 ? held.items : items,
    waiting,
    /** Moves the focus to the list, because the pressed button disappears. The list itself does not hold lines back. */
    release: () => {
      list.current?.focus({ preventScroll: true });
      setHeld((before) => (before.isPointed ? { ...before, items, isFocused: false } : nothing));
    },
    list,
    handlers: {
      // A touch has no hover, and no end of it.
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && hold({ isPointed: true }),
      onPointerLeave: () => hold({ isPointed: false }),
      onFocus: ({ target }: FocusEvent) => hold({ isFocused: target !== list.current }),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) hold({ isFocused: false });
      },
    },
  };
}
