import { useForm } from '@mantine/form';
import { type FormEvent, useEffect, useId } from 'react';
import { session, sessionExpired } from '../query/session';
import { changedFields, createDrafts } from './drafts';
import type { FormErrors } from './errors';

const drafts = createDrafts();
const follow = () => drafts.followSession(session.get(), sessionExpired.get());

follow();
session.subscribe(follow);

/** After a touch, the browser sends the click this much later at most. */
const tapMs = 350;
let isPressed = false;
const delayed = new Set<() => void>();

function release(): void {
  isPressed = false;
  for (const run of delayed) run();
  delayed.clear();
}

const capture = { capture: true };
window.addEventListener('pointerdown', () => (isPressed = true), capture);
window.addEventListener(
  'pointerup',
  ({ pointerType }) => setTimeout(release, pointerType === 'touch' ? tapMs : 0),
  capture,
);
window.addEventListener('pointercancel', release, capture);

/** An error that appeared while a button is pressed would move the button away from the pointer, and the click would miss it. */
function afterPress(run: () => void): void {
  if (isPressed) delayed.add(run);
  else run();
}

type Field<V> = Extract<keyof V, string>;
type TextField<V> = { [F in Field<V>]: V[F] extends string ? F : never }[Field<V>];

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
  /** Called with each change. */
  onChange?: () => void;
  /** Which fields of a changed form show their error when they are left. */
  checksOnLeave?: 'all' | 'filled' | 'none';
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

/** Mantine's form, of the changed fields alone: the others follow `initial`, which may be read again meanwhile. */
function useEdits<V extends Record<string, unknown>>({ name, initial, validate, onChange }: Options<V>) {
  const form = useForm<Record<string, unknown>>({
    // Finds the inputs of this form in the document; a name takes letters and digits only.
    name: useId().replaceAll(/[^a-z\d]/gi, ''),
    initialValues: { ...drafts.find(name) },
    clearInputErrorOnChange: false,
    // Typing shows no new error, and only updates those that are shown.
    onValuesChange: () => {
      onChange?.();
      const found = findErrors();
      form.setErrors((shown) => Object.fromEntries(found.filter(([field]) => field in shown)));
    },
  });
  const read = (): V => {
    const edits = Object.entries(form.getValues()).filter(([, value]) => value !== undefined);
    return { ...initial, ...Object.fromEntries(edits) };
  };
  const findErrors = () => Object.entries(validate(read())).filter(([, message]) => message !== undefined);
  const write = (values: Partial<V>) => {
    const current = read();
    const changes = Object.entries(values).filter(([field, value]) => value !== current[field]);
    if (changes.length === 0) return;
    const edits = changes.map(([field, value]) => [field, value === initial[field] ? undefined : value]);
    form.setValues(Object.fromEntries(edits));
  };
  /** Once these values are stored: keeps only what was typed meanwhile. */
  const clearSent = (sent: V) => {
    const edits = Object.entries(form.getValues());
    form.setValues(
      Object.fromEntries(edits.map(([field, value]) => [field, value === sent[field] ? undefined : value])),
    );
  };
  return { form, read, write, findErrors, clearSent };
}

type Edits<V extends Record<string, unknown>> = ReturnType<typeof useEdits<V>>;

/** Finds when a field or the whole form must show its errors, and shows them. */
function checksOf<V extends Record<string, unknown>>(options: Options<V>, { form, read, write, findErrors }: Edits<V>) {
  const { initial, normalize = (values) => values, checksOnLeave = 'all' } = options;
  const isChanged = (values: V) =>
    options.isChanged?.(values) ?? Object.keys(changedFields(initial, values)).length > 0;
  const writeNormalized = () => write(normalize(read()));
  const leave = (field: Field<V>) =>
    afterPress(() => {
      const isChecked = checksOnLeave === 'all' || (checksOnLeave === 'filled' && read()[field] !== '');
      if (!isChecked || !isChanged(read())) return;
      writeNormalized();
      const message = options.validate(read())[field];
      if (message !== undefined) form.setFieldError(field, message);
    });
  /** Shows the errors of these fields, of all by default, and focuses the first invalid one. */
  const check = (wanted?: readonly Field<V>[]): boolean => {
    const found = findErrors().filter(([field]) => wanted?.some((other) => other === field) ?? true);
    form.setErrors(Object.fromEntries(found));
    focusFirst(found.map(([field]) => form.getInputNode(field)));
    return found.length === 0;
  };
  return { isChanged, writeNormalized, leave, check };
}

const focusActionsOf = <V extends Record<string, unknown>>({ form }: Edits<V>) => ({
  focus: (field: Field<V>) => focusFirst([form.getInputNode(field)]),
  /** Focuses a field so that typing replaces its value. */
  select: (field: Field<V>) => {
    const input = form.getInputNode<HTMLInputElement, string>(field);
    input?.focus();
    input?.select();
  },
});

/**
 * The values of a form and their errors. A field of a changed form shows its error once it loses the focus, until it is valid;
 * typing shows no new one. When the session expires, the changed fields are kept, and restored after the same person logs in again.
 */
export function useDraftForm<V extends Record<string, unknown>>(options: Options<V>) {
  const { name, initial, secrets } = options;
  const edits = useEdits(options);
  const { form, read, write, clearSent } = edits;
  const { isChanged, writeNormalized, leave, check } = checksOf(options, edits);
  useDraft(name, () => changedFields(initial, { ...read(), ...secrets }));
  const values = read();
  return {
    values,
    errors: form.errors as FormErrors<V>,
    isDirty: isChanged(values),
    check,
    /** Takes changes, or makes them from the current values. */
    change: (changes: Partial<V> | ((current: V) => Partial<V>)) =>
      write(typeof changes === 'function' ? changes(read()) : changes),
    /** Sends the values if all are valid. */
    submit: (send: (valid: V) => unknown) => (event?: FormEvent) => {
      event?.preventDefault();
      writeNormalized();
      if (check()) void send(read());
    },
    field: (field: TextField<V>) => {
      const props = form.getInputProps(field, { withFocus: false });
      return { ...props, name: field, value: values[field], onBlur: () => leave(field) } as FieldProps;
    },
    ...focusActionsOf(edits),
    /** Shows why the server refused a field, until it changes. */
    refuse: (field: Field<V>, message: string | undefined) => form.setFieldError(field, message),
    /** Gives up what was typed. */
    reset: () => {
      write(initial);
      form.clearErrors();
    },
    clearSent,
  };
}

/** What the fields of a form take. */
export type DraftForm<V extends Record<string, unknown>> = ReturnType<typeof useDraftForm<V>>;
