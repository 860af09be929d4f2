import { useState } from 'react';
import { useFormValues } from './useFormValues';

type Errors<F extends string> = Partial<Record<F, string>>;

type Form<V extends object, F extends string> = {
  /** Names the draft, with the id of the item that the form edits. */
  name: string;
  initial: V;
  secrets: Partial<V>;
  /** In the order of the screen. */
  fields: readonly F[];
  /** Trims the values as they will be sent. */
  normalize: (values: V) => V;
  validate: (values: V) => Errors<F>;
  /** One message for the whole form. */
  validateForm: (values: V) => string | undefined;
  isChanged: (values: V) => boolean;
  focus: (field: F) => void;
};

/** The values of a form and their errors: a field shows its error once it loses the focus, until it is valid. */
export function useCheckedForm<V extends object, F extends string>(form: Form<V, F>) {
  const { name, initial, secrets: emptySecrets, fields, normalize, validate, validateForm, isChanged, focus } = form;
  const [values, setValues] = useFormValues(name, initial, emptySecrets);
  const [errors, setErrors] = useState<Errors<F>>({});
  const [formError, setFormError] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const isDirty = isChanged(values);
  const keepErrors = (fieldErrors: Errors<F>, isMarked: (field: F) => boolean) =>
    Object.fromEntries(
      fields
        .filter((field) => fieldErrors[field] !== undefined && isMarked(field))
        .map((field) => [field, fieldErrors[field]]),
    ) as Errors<F>;
  const change = (changes: Partial<V>) => {
    const next = { ...values, ...changes };
    const fieldErrors = validate(next);
    setValues(next);
    setFormError((current) => current && validateForm(next));
    // Typing only updates the errors that are already shown.
    setErrors((current) => keepErrors(fieldErrors, (field) => field in current));
  };
  const leave = (field: F) => {
    const normalized = normalize(values);
    setValues(normalized);
    if (isDirty)
      setErrors((current) => keepErrors(validate(normalized), (other) => other === field || other in current));
  };
  /** The values to send; undefined, with the first invalid field focused, when one has an error. */
  const finish = (): V | undefined => {
    const normalized = normalize(values);
    const fieldErrors = validate(normalized);
    const first = fields.find((field) => fieldErrors[field] !== undefined);
    setValues(normalized);
    setErrors(fieldErrors);
    setFormError(validateForm(normalized));
    setRefusal(undefined);
    if (first !== undefined) focus(first);
    return first === undefined ? normalized : undefined;
  };
  return { values, errors, failure: formError ?? refusal, isDirty, change, leave, finish, setRefusal };
}
