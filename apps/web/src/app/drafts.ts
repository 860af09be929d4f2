type Person = { token: string | null; userId: string | null };

/** The drafts of forms over which a session ended. They belong to one person and live only in the memory of the page. */
export function createDrafts() {
  const kept = new Map<string, object>();
  let owner: string | null = null;
  return {
    find: (form: string): object | undefined => kept.get(form),
    keep: (form: string, typed: object): void => {
      if (Object.keys(typed).length > 0) kept.set(form, typed);
    },
    forget: (form: string): void => void kept.delete(form),
    /** A logout and another person's login delete all drafts. */
    follow: ({ token, userId }: Person, isExpired: boolean): void => {
      const isOver = token === null ? !isExpired : userId !== owner;
      if (isOver) kept.clear();
      if (token !== null) owner = userId;
    },
  };
}

/** Only changed fields are restored: somebody else may have changed the others meanwhile. */
export const typedOf = <T extends object>(start: T, values: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== start[field as keyof T]),
  ) as Partial<T>;
