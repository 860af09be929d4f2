/** Opens a job in the dock of any screen. */
export const withJobParam = (tache: string | undefined) => (search: { tache?: string | undefined }) => ({
  ...search,
  tache,
});
