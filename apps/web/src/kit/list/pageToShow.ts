type Answer<P> = { data?: P | undefined; currentData?: P | undefined; isFetching: boolean };

/** While the next page loads, the previous rows stay, but not an empty result. */
export const pageToShow = <P extends { total: number }>({ data, currentData, isFetching }: Answer<P>): P | undefined =>
  isFetching && !currentData && data?.total === 0 ? undefined : data;
