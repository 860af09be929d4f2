import { useRef, useState } from 'react';

type Errors<T> = Partial<Record<keyof T, string>>;

const fieldsWithError = <T>(errors: Errors<T>) =>
  (Object.keys(errors) as (keyof T)[]).filter((field) => errors[field] !== undefined);

function pickErrors<T>(errors: Errors<T>, fields: readonly (keyof T)[]): Errors<T> {
  const picked: Errors<T> = {};
  for (const field of fields) picked[field] = errors[field];
  return picked;
}

/**
 * Keeps the focus in the field while a button is pressed: an error shown on blur would move the button away from the
 * pointer, and the click would miss it.
 */
export const keepFocus = (event: { preventDefault: () => void }): void => event.preventDefault();

/** Shows an error once its field loses the focus or the form is sent, and removes it as soon as it is corrected. */
export function useFields<T extends Record<string, string>>(blank: T, checkAll: (values: T) => Errors<T>) {
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<Errors<T>>({});
  const focus = (field: keyof T & string) => form.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
  const change = (field: keyof T, value: string) => {
    const next = { ...values, [field]: value };
    setValues(next);
    // A change can correct another field: a new password may match the confirmation.
    setErrors(pickErrors(checkAll(next), fieldsWithError(errors)));
  };
  const validateField = (field: keyof T) => {
    if (values[field] !== '') setErrors({ ...errors, [field]: checkAll(values)[field] });
  };
  /** Moves the focus to the first invalid field. */
  const validate = (fields: readonly (keyof T & string)[]): boolean => {
    const nextErrors = pickErrors(checkAll(values), fields);
    setErrors(nextErrors);
    const firstInvalid = fields.find((field) => nextErrors[field] !== undefined);
    if (firstInvalid !== undefined) focus(firstInvalid);
    return firstInvalid === undefined;
  };
  const reset = (field: keyof T & string) => {
    setValues(blank);
    setErrors({});
    focus(field);
  };
  return { form, values, errors, change, validateField, validate, reset, focus };
}
