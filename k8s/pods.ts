export type Value = string | number | boolean | null | Value[] | { [name: string]: Value };
export type Fields = { [name: string]: Value };
export type Resource = Fields & { apiVersion: string; kind: string; metadata: Fields & { name: string } };

export type Pod = {
  owner: string;
  kind: string;
  labels: Record<string, string>;
  replicas: number | undefined;
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
};

export type Container = {
  name: string;
  image: string;
  command?: string[];
  env?: { name: string; value?: string; valueFrom?: { configMapKeyRef?: { name: string; key: string } } }[];
  ports?: { name: string; containerPort: number }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[]; add?: string[] };
  };
  lifecycle?: { preStop?: { exec: { command: string[] } } };
  volumeMounts?: { name: string; mountPath: string }[];
  livenessProbe?: object;
  readinessProbe?: object;
};

type Items = { key: string; path: string }[];
type Volume = {
  name: string;
  secret?: { secretName: string; items?: Items };
  projected?: { sources: { secret?: { name: string; items: Items }; configMap?: { name: string; items: Items } }[] };
  emptyDir?: { sizeLimit?: string };
  hostPath?: object;
  persistentVolumeClaim?: { claimName: string };
};

type Template = { metadata: { labels: Record<string, string> }; spec: Pod };

export function podsOf(resources: readonly Resource[]): Pod[] {
  return resources.flatMap(({ kind, metadata, spec }) => {
    if (!['Deployment', 'StatefulSet', 'Job'].includes(kind)) return [];
    const { template, replicas } = spec as { template: Template; replicas?: number };
    return [{ ...template.spec, owner: metadata.name, kind, labels: template.metadata.labels, replicas }];
  });
}

export const containersOf = ({ containers, initContainers = [] }: Pod): Container[] => [
  ...initContainers,
  ...containers,
];

/** Each secret key that a pod can read, with its file; a secret without items mounts all of its keys. */
export function secretsOf(pod: Pod): { secret: string; key: string; path: string }[] {
  return (pod.volumes ?? []).flatMap((volume) => {
    const folder = containersOf(pod)
      .flatMap(({ volumeMounts = [] }) => volumeMounts)
      .find(({ name }) => name === volume.name)?.mountPath;
    const toSecrets = (secret: string, items: Items) =>
      items.map(({ key, path }) => ({ secret, key, path: `${folder}/${path}` }));
    const projected = (volume.projected?.sources ?? []).flatMap(({ secret }) =>
      secret ? toSecrets(secret.name, secret.items) : [],
    );
    const { secret } = volume;
    return secret ? toSecrets(secret.secretName, secret.items ?? defaultItems(secret.secretName)) : projected;
  });
}

const defaultItems = (secret: string): Items => {
  const keys = secret.startsWith('keys-') ? ['keys.json'] : ['ca.crt', 'tls.crt', 'tls.key'];
  return keys.map((key) => ({ key, path: key }));
};
