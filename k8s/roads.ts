import { containersOf, type Pod, podsOf, type Resource } from './pods';

type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
};
type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: { cidr: string } };
type Rule = { from?: Peer[]; to?: Peer[]; ports?: { port: number }[] };
type Policy = { podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] };

const policiesOf = (resources: readonly Resource[]) =>
  resources.flatMap(({ kind, metadata, spec }) =>
    kind === 'NetworkPolicy' ? [{ name: metadata.name, ...(spec as unknown as Policy) }] : [],
  );

/** As the API has it: a selector that says nothing selects everything. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, { labels }: Pick<Pod, 'labels'>) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''));

/** Every pod that nothing denies all that is not allowed. */
export function openPods(resources: readonly Resource[]): string[] {
  const policies = policiesOf(resources);
  return podsOf(resources).flatMap((pod) =>
    ['Ingress', 'Egress'].flatMap((way) => {
      const isCovered = policies.some((policy) => policy.policyTypes.includes(way) && selects(policy.podSelector, pod));
      return isCovered ? [] : [`${pod.owner}: no policy of its ${way}`];
    }),
  );
}

/** Who may reach whom, at which port. Between two pods both must allow it, as the cluster asks. */
export function roads(resources: readonly Resource[]): string[] {
  const pods = podsOf(resources);
  const inside = pods.flatMap((from) =>
    pods.flatMap((to) =>
      portsOf(to)
        .filter((port) => allows(resources, from, to, port))
        .map((port) => `${from.owner} → ${to.owner}:${port}`),
    ),
  );
  return [...new Set([...inside, ...outside(resources, pods)])].toSorted();
}

const portsOf = (pod: Pod) => containersOf(pod).flatMap(({ ports = [] }) => ports.map((port) => port.containerPort));

const isPod = ({ podSelector, namespaceSelector }: Peer, pod: Pod) =>
  podSelector !== undefined && namespaceSelector === undefined && selects(podSelector, pod);
const isAt = ({ ports }: Rule, port: number) => ports?.some((allowed) => allowed.port === port) ?? true;

function allows(resources: readonly Resource[], from: Pod, to: Pod, port: number): boolean {
  const policies = policiesOf(resources);
  const leaves = policies.some(
    ({ podSelector, egress = [] }) =>
      selects(podSelector, from) && egress.some((rule) => isAt(rule, port) && rule.to?.some((peer) => isPod(peer, to))),
  );
  const enters = policies.some(
    ({ podSelector, ingress = [] }) =>
      selects(podSelector, to) &&
      ingress.some((rule) => isAt(rule, port) && rule.from?.some((peer) => isPod(peer, from))),
  );
  return leaves && enters;
}

function outside(resources: readonly Resource[], pods: readonly Pod[]): string[] {
  return policiesOf(resources).flatMap(({ podSelector, ingress = [], egress = [] }) =>
    pods
      .filter((pod) => selects(podSelector, pod))
      .flatMap(({ owner }) => [
        ...each(ingress, ({ from }) => from).map(({ peer, port }) => `${peer} → ${owner}:${port}`),
        ...each(egress, ({ to }) => to).map(({ peer, port }) => `${owner} → ${peer}:${port}`),
      ]),
  );
}

/** A rule without peers is one for everybody. */
function each(rules: readonly Rule[], peersOf: (rule: Rule) => Peer[] | undefined) {
  return rules.flatMap((rule) =>
    (peersOf(rule) ?? [{ ipBlock: { cidr: 'anybody' } }]).flatMap((peer) => {
      const name = peer.ipBlock?.cidr ?? Object.values(peer.namespaceSelector?.matchLabels ?? {})[0];
      if (name === undefined) return [];
      return (rule.ports ?? [{ port: '*' }]).map(({ port }) => ({ peer: name, port }));
    }),
  );
}

/** Ports that a policy lets somebody reach one of these pods at, and where it does not listen. */
export function deafPorts(resources: readonly Resource[]): string[] {
  const pods = podsOf(resources);
  return policiesOf(resources).flatMap(({ name, podSelector, ingress = [], egress = [] }) => {
    const entered = pods
      .filter((pod) => selects(podSelector, pod))
      .flatMap((pod) => ingress.map((rule) => ({ pod, rule })));
    const left = egress.flatMap((rule) =>
      pods.filter((pod) => rule.to?.some((peer) => isPod(peer, pod))).map((pod) => ({ pod, rule })),
    );
    return [...entered, ...left].flatMap(({ pod, rule }) =>
      (rule.ports ?? []).flatMap(({ port }) =>
        portsOf(pod).includes(port) ? [] : [`${name}: ${pod.owner} does not listen at ${port}`],
      ),
    );
  });
}
