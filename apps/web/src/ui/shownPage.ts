type Answer<P> = { data?: P | undefined; currentData?: P | undefined; isFetching: boolean };

/** That nothing corresponded to what was asked before says nothing of what is asked now; whatever did, stays meanwhile. */
export const shownPage = <P extends { total: number }>({ data, currentData, isFetching }: Answer<P>): P | undefined =>
  isFetching && !currentData && data?.total === 0 ? undefined : data;
