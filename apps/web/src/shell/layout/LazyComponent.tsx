import { type ComponentType, createElement, useEffect, useEffectEvent, useState } from 'react';
import { toast } from '../../ui/toasts';

type Props<P extends object> = { load: () => Promise<ComponentType<P>>; onFail: () => void; props: P };

/**
 * Fetches the code of a component when it is shown. Unlike with `lazy`, a failed fetch shows a message instead of breaking the
 * page. The message asks for a reload, because browsers remember a module that they could not fetch.
 */
export function LazyComponent<P extends object>({ load, onFail, props }: Props<P>) {
  const [loaded, setLoaded] = useState<ComponentType<P>>();
  const fail = useEffectEvent(() => {
    toast.error('Cet élément n’a pas pu être chargé. Vérifiez votre connexion, puis rechargez la page.');
    onFail();
  });
  useEffect(() => {
    load()
      .then((component) => setLoaded(() => component))
      .catch(() => fail());
  }, [load]);
  return loaded && createElement(loaded, props);
}
