import { isApiError, sentenceOf } from './api-error';

/** Why there is no answer: the server's own sentence, or else this one; undefined where there is one. */
export const failedBy = (error: unknown, sentence: string): string | undefined =>
  error ? (isApiError(error) && sentenceOf(error)) || sentence : undefined;
