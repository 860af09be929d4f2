import { type ComponentType, createElement, useEffect, useEffectEvent, useState } from 'react';
import { toast } from '../../ui/toasts';

type Props<P extends object> = { load: () => Promise<ComponentType<P>>; onFail: () => void; props: P };

/**
 * A component that is fetched when it is shown. Unlike `lazy`, a network that fails is a message, not the end of
 * the page around it. Browsers remember code that they could not fetch: only a page that is loaded again asks for it again.
 */
export function Late<P extends object>({ load, onFail, props }: Props<P>) {
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
