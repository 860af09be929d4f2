import { isRejectedWithValue, type Middleware } from '@reduxjs/toolkit';
import { sentenceOf, toastFailure } from './failures';

type EndpointCall = { type?: 'query' | 'mutation' } | undefined;

/** A toast says why something that a person asked for failed. A screen says itself what it could not read. */
export const tellFailures: Middleware = () => (next) => (action) => {
  if (isRejectedWithValue(action) && (action.meta['arg'] as EndpointCall)?.type === 'mutation') {
    const sentence = sentenceOf(action.payload);
    if (sentence !== undefined) toastFailure(sentence, action.payload);
  }
  return next(action);
};
