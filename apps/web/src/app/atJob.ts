/** The address of a job, on whatever screen. */
export const atJob = (tache: string | undefined) => (search: { tache?: string | undefined }) => ({ ...search, tache });
