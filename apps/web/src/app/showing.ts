type Options = { isStep?: boolean; isSaved?: boolean };
export type Show<S> = (change: Partial<S>, options?: Options) => void;

/** How to go to another state of the same screen. A place to come back from is a step; a filter and a form are none. */
export const showing = <S>(change: Partial<S>, { isStep = false, isSaved = false }: Options = {}) => ({
  search: (shown: S) => ({ ...shown, ...change }),
  replace: !isStep,
  resetScroll: false,
  // What was typed is saved: there is nothing to ask about.
  ignoreBlocker: isSaved,
});
