type Person = { token: string | null; userId: string | null };

/** What was typed in forms over which a session ended: of one person, in the memory of the page and nowhere else. */
export function createDrafts() {
  const kept = new Map<string, object>();
  let owner: string | null = null;
  return {
    find: (form: string): object | undefined => kept.get(form),
    keep: (form: string, typed: object): void => {
      if (Object.keys(typed).length > 0) kept.set(form, typed);
    },
    forget: (form: string): void => void kept.delete(form),
    /** Somebody else has no part in them, and whoever logs out leaves none. */
    follow: ({ token, userId }: Person, isExpired: boolean): void => {
      const isOver = token === null ? !isExpired : userId !== owner;
      if (isOver) kept.clear();
      if (token !== null) owner = userId;
    },
  };
}

/** What differs from what the form began with: the rest may be another's work by the time that it is there again. */
export const typedOf = <T extends object>(start: T, values: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== start[field as keyof T]),
  ) as Partial<T>;
