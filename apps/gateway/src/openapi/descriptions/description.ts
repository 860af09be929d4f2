import type { DescribedError } from '../error-answers';
import type { Media, Response } from '../document-types';

/** What a person reads about a route, in French. */
export type Description = {
  /** A short sentence that begins with a verb: «\u00a0Sauvegarder un site\u00a0». */
  summary: string;
  /** Summaries of single routes, where a contract has several. */
  summaries?: Readonly<Record<string, string>>;
  /** What the summary does not say: what the call starts, what it does not do, what cannot be undone. */
  description?: string;
  /** When the errors happen that do not follow from the kind of the route. */
  errors?: Readonly<Partial<Record<DescribedError, string>>>;
  /** What the answer of a success is. */
  success?: string;
  /** Successes besides the usual one, by status. */
  successes?: Readonly<Record<string, Response>>;
  /** Examples, where one composed of the fields would be nonsense. */
  request?: unknown;
  answer?: unknown;
  /** The content of an answer that is not JSON. */
  media?: (example: unknown) => Record<string, Media>;
};

/** By the names of contracts. */
export type Descriptions = Readonly<Record<string, Description>>;

export type Tag = { name: string; title: string; about: string; descriptions: Descriptions };
