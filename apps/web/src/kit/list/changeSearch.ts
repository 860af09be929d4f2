type Options = { isStep?: boolean; isSaved?: boolean };
export type ChangeSearch<S> = (change: Partial<S>, options?: Options) => void;

/** Navigates within a screen. `isStep` adds an entry to the history; a filter or a form replaces the current one. */
export const changeSearch = <S>(change: Partial<S>, { isStep = false, isSaved = false }: Options = {}) => ({
  search: (current: S) => ({ ...current, ...change }),
  replace: !isStep,
  resetScroll: false,
  // A saved form needs no confirmation.
  ignoreBlocker: isSaved,
});
