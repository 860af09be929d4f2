import { useState } from 'react';
import { useFormValues } from './useFormValues';

type Errors<F extends string> = Partial<Record<F, string>>;

type Form<V extends object, F extends string> = {
  /** Of what it is too. */
  name: string;
  begin: V;
  secrets: Partial<V>;
  /** As they stand on the screen. */
  fields: readonly F[];
  /** The values as they are sent. */
  settle: (values: V) => V;
  /** What can be said before the server is asked. */
  check: (values: V) => Errors<F>;
  /** What is said once for the whole form. */
  missing: (values: V) => string | undefined;
  isChanged: (values: V) => boolean;
  focus: (field: F) => void;
};

/** What is typed, and what is wrong with it: a field is marked once it is left, until it is right. */
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
    // What is not wrong yet is not called wrong while it is being typed.
    setErrors((shown) => pick(found, (field) => field in shown));
  };
  const leave = (field: F) => {
    const settled = settle(values);
    setValues(settled);
    if (isDirty) setErrors((shown) => pick(check(settled), (one) => one === field || one in shown));
  };
  /** The values as they are sent; undefined where one is to be mended first. */
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
