import type { LoginResult } from '@vigie/contracts/sessions';
import { Clock } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { detailsOf, isApiError } from '../../app/api-error';
import { copyrightOf, useBrand, version } from '../../ui/brand';
import { Logo } from '../../ui/Logo';
import { toast } from '../../ui/toasts';
import { loginSentence } from './failure';
import { type Credentials, checkCredentials, type FieldErrors } from './fields';
import { Lookout } from './Lookout';
import { LoginForm, type LoginFailure } from './LoginForm';
import styles from './Page.module.css';
import { sessionsApi } from './sessions.api';

const blank: Credentials = { email: '', password: '' };

function useLogin(onLoggedIn: (result: LoginResult) => void) {
  const [login, { isLoading }] = sessionsApi.useLoginMutation();
  const [failure, setFailure] = useState<LoginFailure>();
  const fail = (sentence: string, retryAfter?: number, details?: string) => {
    setFailure({ sentence, retryAfter });
    toast.error(sentence, details);
  };
  const send = async (values: Credentials): Promise<void> => {
    setFailure(undefined);
    const { data, error } = await login(values);
    if (data?.access_token) return onLoggedIn(data);
    if (isApiError(error)) fail(loginSentence(error), error.retryAfter, detailsOf(error));
    else fail('Token manquant');
  };
  return { send, failure, forget: () => setFailure(undefined), isSending: isLoading };
}

/** Errors show once a field was left or the form sent, and go as soon as they are mended. */
function useFields() {
  const form = useRef<HTMLDivElement>(null);
  const [values, setValues] = useState(blank);
  const [errors, setErrors] = useState<FieldErrors>({});
  const focus = (field: keyof Credentials) => form.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus();
  const change = (field: keyof Credentials, value: string) => {
    const next = { ...values, [field]: value };
    setValues(next);
    if (errors[field] !== undefined) setErrors({ ...errors, [field]: checkCredentials(next)[field] });
  };
  const leave = (field: keyof Credentials) => {
    if (values[field] !== '') setErrors({ ...errors, [field]: checkCredentials(values)[field] });
  };
  const check = (): boolean => {
    const found = checkCredentials(values);
    setErrors(found);
    if (found.email !== undefined) focus('email');
    else if (found.password !== undefined) focus('password');
    return found.email === undefined && found.password === undefined;
  };
  const clear = () => {
    setValues(blank);
    setErrors({});
    focus('email');
  };
  return { form, values, errors, change, leave, check, clear, focus };
}

type Props = { isExpired: boolean; onLoggedIn: (result: LoginResult) => void };

export function LoginPage({ isExpired, onLoggedIn }: Props) {
  const brand = useBrand();
  const { send, failure, forget, isSending } = useLogin(onLoggedIn);
  const { form, values, errors, change, leave, check, clear, focus } = useFields();
  const first = useRef(focus);
  useEffect(() => first.current('email'), []);
  return (
    <div className={styles['page']}>
      <Lookout />
      <main className={styles['main']}>
        <div className={styles['card']} ref={form}>
          <div className={styles['brand']}>
            <Logo size={32} />
            {brand.app_name}
          </div>
          <h1 className={styles['title']}>Connexion</h1>
          <p className={styles['lead']}>Accédez à la console de vos sites WordPress.</p>
          {isExpired && failure === undefined && (
            <output className={styles['expired']}>
              <Clock size={16} aria-hidden />
              Votre session a expiré. Reconnectez-vous pour continuer.
            </output>
          )}
          <LoginForm
            values={values}
            errors={errors}
            failure={failure}
            isSending={isSending}
            onChange={change}
            onLeave={leave}
            onSubmit={() => {
              if (!isSending && check()) void send(values);
            }}
            onCancel={() => {
              forget();
              clear();
            }}
          />
        </div>
        <footer className={styles['foot']}>
          {copyrightOf(brand)} · {version}
        </footer>
      </main>
    </div>
  );
}
