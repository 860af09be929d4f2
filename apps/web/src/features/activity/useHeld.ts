import type { ActivityItem } from '@vigie/contracts/activity';
import { type FocusEvent, type PointerEvent, useRef, useState } from 'react';

type Items = readonly ActivityItem[] | undefined;
const nothing = { items: undefined as Items, filter: '', isPointed: false, isFocused: false };

/** What comes while somebody points at the list, or is in it, waits: nothing moves under a hand that is about to press. */
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
    /** To the list itself, which is nothing to press: the focus of a button that goes is not lost there. */
    release: () => {
      list.current?.focus({ preventScroll: true });
      setHeld((before) => (before.isPointed ? { ...before, items, isFocused: false } : nothing));
    },
    list,
    handlers: {
      // A finger that is gone holds nothing.
      onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && hold({ isPointed: true }),
      onPointerLeave: () => hold({ isPointed: false }),
      onFocus: ({ target }: FocusEvent) => hold({ isFocused: target !== list.current }),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) hold({ isFocused: false });
      },
    },
  };
}
