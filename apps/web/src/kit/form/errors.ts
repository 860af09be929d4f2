import type { z } from 'zod';

type Field<V> = Extract<keyof V, string>;
/** The message of each field, and under `form` that of the whole form. */
export type FormErrors<V> = Partial<Record<Field<V> | 'form', string>>;

/**
 * The messages of a contract's schema, the first of each field. `request` is what the schema parses: a field that is nested
 * there goes by its own name, and the message of a field that the form does not have is left to the server.
 */
export function schemaErrors<V extends object>(schema: z.ZodType, values: V, request: unknown = values): FormErrors<V> {
  const errors: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(request).error?.issues ?? []) {
    const field = path.findLast((part) => typeof part === 'string' && part in values);
    if (field !== undefined) errors[String(field)] ??= message;
  }
  return errors;
}

export function emptyErrors<V extends object>(values: V, required: readonly Field<V>[]): FormErrors<V> {
  const empty = required.filter((field) => String(values[field]).trim() === '');
  return Object.fromEntries(empty.map((field) => [field, 'À renseigner.'])) as FormErrors<V>;
}

/** Each field keeps its first message: the form's own rules come before those of the contract. */
export function firstErrors<V>(...sources: readonly FormErrors<V>[]): FormErrors<V> {
  const messages = sources.toReversed().flatMap((errors) => Object.entries(errors));
  return Object.fromEntries(messages.filter(([, message]) => message !== undefined)) as FormErrors<V>;
}
