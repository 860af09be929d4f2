type Person = { token: string | null; userId: string | null };

/** The drafts of forms over which a session ended. They belong to one person and live only in the memory of the page. */
export function createDrafts() {
  const drafts = new Map<string, object>();
  let ownerId: string | null = null;
  return {
    find: (form: string): object | undefined => drafts.get(form),
    save: (form: string, fields: object): void => {
      if (Object.keys(fields).length > 0) drafts.set(form, fields);
    },
    discard: (form: string): void => void drafts.delete(form),
    /** A logout and another person's login delete all drafts. */
    followSession: ({ token, userId }: Person, isExpired: boolean): void => {
      const isOver = token === null ? !isExpired : userId !== ownerId;
      if (isOver) drafts.clear();
      if (token !== null) ownerId = userId;
    },
  };
}

/** Only changed fields are restored: somebody else may have changed the others meanwhile. */
export const changedFields = <T extends object>(start: T, values: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== start[field as keyof T]),
  ) as Partial<T>;
