import { useState } from 'react';
import { useFormValues } from './useFormValues';

type Errors<F extends string> = Partial<Record<F, string>>;

type Form<V extends object, F extends string> = {
  /** Names the draft, with the id of the item that the form edits. */
  name: string;
  begin: V;
  secrets: Partial<V>;
  /** In the order of the screen. */
  fields: readonly F[];
  /** Trims the values as they will be sent. */
  settle: (values: V) => V;
  check: (values: V) => Errors<F>;
  /** One message for the whole form. */
  missing: (values: V) => string | undefined;
  isChanged: (values: V) => boolean;
  focus: (field: F) => void;
};

/** The values of a form and their errors: a field shows its error once it loses the focus, until it is valid. */
export function useCheckedForm<V extends object, F extends string>(form: Form<V, F>) {
  const { name, begin, secrets, fields, settle, check, missing, isChanged, focus } = form;
  const [values, setValues] = useFormValues(name, begin, secrets);
  const [errors, setErrors] = useState<Errors<F>>({});
  const [lack, setLack] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const isDirty = isChanged(values);
  const pick = (found: Errors<F>, isMarked: (field: F) => boolean) =>
    Object.fromEntries(
      fields.filter((field) => found[field] !== undefined && isMarked(field)).map((field) => [field, found[field]]),
    ) as Errors<F>;
  const change = (changes: Partial<V>) => {
    const next = { ...values, ...changes };
    const found = check(next);
    setValues(next);
    setLack((shown) => shown && missing(next));
    // Typing only updates the errors that are already shown.
    setErrors((shown) => pick(found, (field) => field in shown));
  };
  const leave = (field: F) => {
    const settled = settle(values);
    setValues(settled);
    if (isDirty) setErrors((shown) => pick(check(settled), (one) => one === field || one in shown));
  };
  /** The values to send; undefined, with the first invalid field focused, when one has an error. */
  const finish = (): V | undefined => {
    const settled = settle(values);
    const found = check(settled);
    const first = fields.find((field) => found[field] !== undefined);
    setValues(settled);
    setErrors(found);
    setLack(missing(settled));
    setRefusal(undefined);
    if (first !== undefined) focus(first);
    return first === undefined ? settled : undefined;
  };
  return { values, errors, failure: lack ?? refusal, isDirty, change, leave, finish, refuse: setRefusal };
}
