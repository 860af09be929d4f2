import { schemaResolver, useForm } from '@mantine/form';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { z } from 'zod';
import { session, sessionExpired } from '../query/session';
import { changedFields, createDrafts } from './drafts';

const drafts = createDrafts();
const follow = () => drafts.followSession(session.get(), sessionExpired.get());

follow();
session.subscribe(follow);

let isPressed = false;
window.addEventListener('pointerdown', () => (isPressed = true), { capture: true });
for (const end of ['pointerup', 'pointercancel'])
  window.addEventListener(end, () => (isPressed = false), { capture: true });

/** An error that appeared while a button is pressed would move the button away from the pointer, and the click would miss it. */
function afterPress(run: () => void): void {
  if (isPressed) window.addEventListener('pointerup', () => setTimeout(run), { once: true });
  else run();
}

type Field<V> = Extract<keyof V, string>;
/** The message of each field, and under `form` that of the whole form. */
export type FormErrors<V> = Partial<Record<Field<V> | 'form', string>>;

/** The messages of a contract's schema, the first of each field. */
export const schemaErrors = <V extends object>(schema: z.ZodType, values: V): FormErrors<V> =>
  schemaResolver(schema, { sync: true })(values) as FormErrors<V>;

export function emptyErrors<V extends object>(values: V, required: readonly Field<V>[]): FormErrors<V> {
  const empty = required.filter((field) => String(values[field]).trim() === '');
  return Object.fromEntries(empty.map((field) => [field, 'À renseigner.'])) as FormErrors<V>;
}

/** The properties of an input. */
export type FieldProps = {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (eventOrValue: unknown) => void;
  onBlur: () => void;
  'data-path'?: string;
};

type Options<V> = {
  /** Names the draft, with the id of the item that the form edits. */
  name: string;
  initial: V;
  /** What takes the place of the fields that no draft may keep. */
  secrets?: Partial<V>;
  validate: (values: V) => FormErrors<V>;
  /** Shapes the values as they will be sent. */
  normalize?: (values: V) => V;
  /** Whether something would be lost; by default any other value than at the start. */
  isChanged?: (values: V) => boolean;
};

/** Focuses the first field of the screen that has an error. */
function focusFirst(nodes: readonly (HTMLElement | null)[]): void {
  const [first] = nodes
    .filter((node) => node !== null)
    .toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1));
  first?.focus();
}

/** Keeps the changed fields when the session expires. */
function useDraft(name: string, changes: () => object): void {
  useEffect(() => drafts.discard(name), [name]);
  // The shell unmounts the form as soon as the session expires.
  useEffect(() => () => {
    if (sessionExpired.get()) drafts.save(name, changes());
  });
}

/**
 * The values of a form and their errors. A field of a changed form shows its error once it loses the focus, until it is valid;
 * typing shows no new one. When the session expires, the changed fields are kept, and restored after the same person logs in again.
 */
export function useDraftForm<V extends Record<string, unknown>>(options: Options<V>) {
  const { name, initial, secrets, validate, normalize = (values) => values } = options;
  const [start, setStart] = useState(initial);
  const form = useForm<V>({
    // Finds the inputs of this form in the document; a name takes letters and digits only.
    name: useId().replaceAll(/[^a-z\d]/gi, ''),
    initialValues: { ...start, ...drafts.find(name) },
    clearInputErrorOnChange: false,
    validate,
    onValuesChange: (values) => showErrors(values, () => false),
  });
  /** Shows the errors of the wanted fields, and updates those that are shown already. */
  const showErrors = (values: V, isWanted: (field: string) => boolean) => {
    const found = Object.entries(validate(values));
    form.setErrors((shown) =>
      Object.fromEntries(found.filter(([field, error]) => error !== undefined && (isWanted(field) || field in shown))),
    );
  };
  const values = form.getValues();
  const isChanged = (current: V) =>
    options.isChanged?.(current) ?? Object.keys(changedFields(start, current)).length > 0;
  const leave = (field: string) =>
    afterPress(() => {
      const left = form.getValues();
      if (!isChanged(left)) return;
      form.setValues(normalize(left));
      showErrors(normalize(left), (other) => other === field);
    });
  useDraft(name, () => changedFields(start, { ...form.getValues(), ...secrets }));
  /** Shows the errors of these fields, of all by default, and focuses the first invalid one. */
  const check = (wanted?: readonly Field<V>[]): boolean => {
    const found = Object.entries(validate(form.getValues())).filter(
      ([field, error]) => error !== undefined && (wanted?.some((other) => other === field) ?? true),
    );
    form.setErrors(Object.fromEntries(found));
    focusFirst(found.map(([field]) => form.getInputNode(field)));
    return found.length === 0;
  };
  return {
    values,
    errors: form.errors as FormErrors<V>,
    isDirty: isChanged(values),
    check,
    /** Takes changes, or makes them from the current values. */
    change: (changes: Partial<V> | ((current: V) => Partial<V>)) =>
      form.setValues(typeof changes === 'function' ? changes(form.getValues()) : changes),
    /** Sends the values if all are valid. */
    submit: (send: (valid: V) => unknown) => (event?: FormEvent) => {
      event?.preventDefault();
      form.setValues(normalize(form.getValues()));
      if (check()) void send(form.getValues());
    },
    field: (field: Field<V>) =>
      ({ ...form.getInputProps(field, { withFocus: false }), name: field, onBlur: () => leave(field) }) as FieldProps,
    focus: (field: Field<V>) => focusFirst([form.getInputNode(field)]),
    /** Gives up what was typed. */
    reset: () => {
      form.setValues(start);
      form.clearErrors();
    },
    /** After the values were saved as `stored`: keeps what was typed meanwhile. */
    rebase: (sent: V, stored: V = sent) => {
      setStart(stored);
      form.setValues({ ...stored, ...changedFields(sent, form.getValues()) });
    },
  };
}

/** What the fields of a form take. */
export type DraftForm<V extends Record<string, unknown>> = ReturnType<typeof useDraftForm<V>>;
