import { useRef, useState } from 'react';

type Errors<T> = Partial<Record<keyof T, string>>;

const marked = <T>(errors: Errors<T>) =>
  (Object.keys(errors) as (keyof T)[]).filter((field) => errors[field] !== undefined);

function pick<T>(errors: Errors<T>, fields: readonly (keyof T)[]): Errors<T> {
  const picked: Errors<T> = {};
  for (const field of fields) picked[field] = errors[field];
  return picked;
}

/**
 * A press on a button leaves the focus where it is. The error of a field that is left would move the button away from
 * under the pointer, and the click would meet nothing.
 */
export const keepFocus = (event: { preventDefault: () => void }): void => event.preventDefault();

/** Errors show once a field was left or the form sent, and go as soon as they are mended. */
export function useFields<T extends Record<string, string>>(blank: T, checkAll: (values: T) => Errors<T>) {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<Errors<T>>({});
  const focus = (field: keyof T & string) => form.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
  const change = (field: keyof T, value: string) => {
    const next = { ...values, [field]: value };
    setValues(next);
    // What is at fault may be mended in another field: a confirmation in the password.
    setErrors(pick(checkAll(next), marked(errors)));
  };
  const leave = (field: keyof T) => {
    if (values[field] !== '') setErrors({ ...errors, [field]: checkAll(values)[field] });
  };
  /** The first of the given fields that is at fault has the focus. */
  const check = (fields: readonly (keyof T & string)[]): boolean => {
    const found = pick(checkAll(values), fields);
    setErrors(found);
    const faulty = fields.find((field) => found[field] !== undefined);
    if (faulty !== undefined) focus(faulty);
    return faulty === undefined;
  };
  const clear = (field: keyof T & string) => {
    setValues(blank);
    setErrors({});
    focus(field);
  };
  return { form, values, errors, change, leave, check, clear, focus };
}
