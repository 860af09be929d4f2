import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { processes } from '@vigie/service-kit/keys';
import { parse } from 'yaml';
import { render } from './kustomize';
import { readAppVariables, bucketVariables } from '../docker/env-variables';
import { type Container, type Pod, podsOf, type Resource, secretsOf } from './pods';
import { allowedConnections } from './network-policies';
import { findFaults } from './rules';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const dist = join(root, 'dist/k8s');
const compose = (name: string, resource: string, components: readonly string[]) => {
  const folder = join(dist, name);
  mkdirSync(folder, { recursive: true });
  const kustomization = {
    apiVersion: 'v1beta1',
    kind: 'Kustomization',
    namespace: 'vigie',
    resources: [`../../../k8s/${resource}`],
    components: components.map((component) => `../../../k8s/components/${component}`),
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  return render(folder);
};
/** `s3` patches the deployments that mount the volume, so it must come after their components. */
const components = readdirSync(join(root, 'k8s/components')).filter((name) => name !== 's3');
const folders = ['base', 'overlays/small', 'overlays/large'];
const rendered: Record<string, Resource[]> = {
  ...Object.fromEntries(folders.map((folder) => [folder, render(join(root, 'k8s', folder))])),
  // Covers the components that no overlay uses.
  everything: compose('everything', 'base', [...components, 's3']),
};
const [small = [], large = []] = [rendered['overlays/small'], rendered['overlays/large']];

const composeFile: { services: Record<string, { image?: string }> } = parse(read('docker/compose.yml'), {
  merge: true,
});
const dockerfile = read('docker/Dockerfile');
const stageEnv = (stage: string) => {
  const [, text = ''] = new RegExp(`AS ${stage}\\n([^]*?)(?=\\nFROM |$)`).exec(dockerfile) ?? [];
  const lines = [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, assignments = '']) => assignments.split(' '));
  return Object.fromEntries(lines.map((line) => line.split('=') as [string, string]));
};
const imageEnv = (app: string) => ({ ...stageEnv('service'), ...(app === 'gateway' && stageEnv('gateway')) });
const images = Object.values(composeFile.services).flatMap(({ image }) => image ?? []);
const faultsIn = (resources: readonly Resource[]) => findFaults(resources, { images, imageEnv });

describe('the types of the API', () => {
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment' };
  const wrong = [
    { ...deployment, spec: { selector: {}, template: { spec: { container: [] } } } },
    { ...deployment, spec: { template: {} } },
    { ...deployment, spec: { selector: {}, template: { spec: { containers: [{ name: 'a', tty: 'yes' }] } } } },
    { apiVersion: 'apps/v2', kind: 'Deployment' },
    { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: {}, spec: { maxReplicas: 3 } },
  ];
  const constants = (manifests: readonly object[]) =>
    manifests.map((manifest, at) => {
      const { apiVersion, kind } = manifest as Resource;
      return `export const m${at}: Manifest<'${apiVersion}', '${kind}'> = ${JSON.stringify(manifest)};`;
    });
  const write = (name: string, manifests: readonly object[]) =>
    writeFileSync(
      join(dist, `${name}.ts`),
      ["import type { Manifest } from '../../k8s/kinds';", ...constants(manifests)].join('\n'),
    );

  it('accept every key of every manifest, and refuse misspelt ones', () => {
    write('wrong', wrong);
    write('manifests', Object.values(rendered).flat());
    const compilerOptions = { types: [] };
    const config = { extends: '../../tsconfig.base.json', files: ['wrong.ts', 'manifests.ts'], compilerOptions };
    writeFileSync(join(dist, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', dist, '--pretty', 'false'], {
      cwd: dist,
      encoding: 'utf8',
    });
    const lines = stdout.split('\n').filter((line) => /^\S.*error TS/.test(line));
    expect(lines.filter((line) => !line.startsWith('wrong.ts('))).toEqual([]);
    const refused = lines.map((line) => Number(/^wrong\.ts\((\d+)/.exec(line)?.[1]) - 2);
    expect(new Set(refused)).toEqual(new Set(wrong.keys()));
  });
});

describe.each(Object.entries(rendered))('%s', (_, resources) => {
  it('breaks no rule', () => {
    expect(faultsIn(resources)).toEqual([]);
  });

  it('runs every process of the product, from images of one tag', () => {
    const deployed = podsOf(resources).filter(({ kind, owner }) => kind === 'Deployment' && owner !== 'tools');
    expect(new Set(deployed.map(({ owner }) => owner))).toEqual(new Set(processes));
    const ours = podsOf(resources).flatMap(({ containers }) => containers.map(({ image }) => image));
    const tags = ours.filter((image) => image.startsWith('vigie/')).map((image) => image.split(':')[1]);
    expect(new Set(tags).size).toBe(1);
  });

  it('gives the agents enough threads for name servers that do not answer', () => {
    const agent = podsOf(resources).find(({ owner }) => owner === 'ssh-agent');
    expect(agent?.containers[0]?.env).toContainEqual({ name: 'UV_THREADPOOL_SIZE', value: '64' });
  });

  it('runs the migrations of every service that has some', () => {
    const jobs = podsOf(resources).filter(({ kind }) => kind === 'Job');
    const migrateSteps = Object.keys(composeFile.services).filter((name) => name.startsWith('migrate-'));
    expect(jobs.map(({ owner }) => owner).toSorted()).toEqual(migrateSteps.toSorted());
  });

  it('keeps silent consoles open for an hour, and does not buffer archives', () => {
    const [ingress] = resources.filter(({ kind }) => kind === 'Ingress');
    const prefix = 'nginx.ingress.kubernetes.io/proxy';
    expect(ingress?.metadata['annotations']).toEqual({
      [`${prefix}-read-timeout`]: '3600',
      [`${prefix}-send-timeout`]: '3600',
      [`${prefix}-buffering`]: 'off',
      [`${prefix}-request-buffering`]: 'off',
      [`${prefix}-body-size`]: '0',
    });
  });

  it('serves browsers until the endpoints no longer list the gateway', () => {
    const gateway = podsOf(resources).find(({ owner }) => owner === 'gateway');
    expect(gateway?.containers[0]?.lifecycle?.preStop?.exec.command).toEqual(['sleep', '10']);
  });

  it('spends most of the grace on transfers that are under way', () => {
    const [gateway] = podsOf(resources).find(({ owner }) => owner === 'gateway')?.containers ?? [];
    expect(gateway?.env).toContainEqual({ name: 'VIGIE_STOP_SECONDS', value: '75' });
  });

  it('lets an operator set the interval of every check', () => {
    const [config] = resources.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'vigie');
    const intervals = ['sites-svc', 'dns-svc'].flatMap((app) =>
      readAppVariables(app).all.filter((name) => name.endsWith('_SECONDS')),
    );
    const otherSeconds = ['VIGIE_STOP_SECONDS', 'VIGIE_RECONCILE_SECONDS'];
    const settingNames = Object.keys(config?.['data'] ?? {});
    expect(settingNames).toEqual(expect.arrayContaining(intervals.filter((name) => !otherSeconds.includes(name))));
  });

  it('listens where its images listen', () => {
    const { PORT, VIGIE_PROBE_PORT } = imageEnv('gateway');
    const ports = podsOf(resources).flatMap(({ owner, containers }) =>
      (containers[0]?.ports ?? []).map(({ name, containerPort }) => `${owner} ${name} ${containerPort}`),
    );
    expect(ports).toEqual(expect.arrayContaining(processes.map((app) => `${app} probes ${VIGIE_PROBE_PORT}`)));
    expect(ports).toContain(`gateway http ${PORT}`);
  });
});

const services = ['auth-svc', 'dns-svc', 'gateway', 'sites-svc', 'ssh-agent'];
const withDatabase = ['auth-svc', 'dns-svc', 'sites-svc', 'migrate-auth-svc', 'migrate-dns-svc', 'migrate-sites-svc'];

describe('the allowed connections', () => {
  const commonConnections = (names: readonly string[]) => [
    ...services.flatMap((app) => [`${app} → nats:4222`, `${app} → redis:6379`]),
    ...names.map((name) => `${name} → kube-system:53`),
    'ingress-nginx → gateway:8080',
    ...[25, 443, 465, 587].flatMap((port) => [`auth-svc → 0.0.0.0/0:${port}`, `auth-svc → ::/0:${port}`]),
    'dns-svc → 0.0.0.0/0:443',
    'dns-svc → ::/0:443',
    'ssh-agent → 0.0.0.0/0:*',
    'ssh-agent → ::/0:*',
  ];
  const owners = (resources: readonly Resource[]) => podsOf(resources).map(({ owner }) => owner);

  it('are these on one node', () => {
    expect(allowedConnections(small)).toEqual(
      [...commonConnections(owners(small)), ...withDatabase.map((name) => `${name} → postgres:5432`)].toSorted(),
    );
  });

  it('are these with an external database', () => {
    expect(allowedConnections(large)).toEqual(
      [
        ...commonConnections(owners(large)),
        ...withDatabase.map((name) => `${name} → 192.0.2.10/32:5432`),
        ...services.map((name) => `monitoring → ${name}:9464`),
      ].toSorted(),
    );
  });

  const internetConnections = (names: readonly string[]) =>
    names.flatMap((name) => [`${name} → 0.0.0.0/0:443`, `${name} → ::/0:443`]);
  const toolConnections = ['tools → kube-system:53', 'tools → postgres:5432'];
  it.each<[string, string[]]>([
    ['tools', toolConnections],
    ['traces', services.map((name) => `${name} → observability:4318`)],
    ['s3', internetConnections(['gateway', 'sites-svc'])],
    ['tools s3', [...toolConnections, ...internetConnections(['gateway', 'sites-svc', 'tools'])]],
  ])('also include these with %s', (added, expected) => {
    const before = allowedConnections(small);
    const composed = compose(added, 'overlays/small', added.split(' '));
    expect(allowedConnections(composed).filter((connection) => !before.includes(connection))).toEqual(
      expected.toSorted(),
    );
    expect(faultsIn(composed)).toEqual([]);
  });
});

describe('the files', () => {
  it('are in the bucket alone, for every deployment that uses the store', () => {
    const composed = compose('bucket', 'overlays/small', ['tools', 's3']);
    const settings = composed.find(({ kind }) => kind === 'ConfigMap');
    expect(settings?.['data']).toMatchObject({ VIGIE_STORE: expect.stringMatching(/^s3:/) });
    expect(composed.filter(({ kind }) => kind === 'PersistentVolumeClaim')).toEqual([]);
    const withBucket = podsOf(composed).filter((pod) => secretsOf(pod).some(({ secret }) => secret === 's3'));
    expect(withBucket.map(({ owner }) => owner)).toEqual(['gateway', 'sites-svc', 'ssh-agent', 'tools']);
    for (const { containers, volumes } of withBucket) {
      expect((containers[0]?.env ?? []).map(({ name }) => name)).toEqual(expect.arrayContaining(bucketVariables));
      expect((volumes ?? []).map(({ name }) => name)).not.toContain('store');
    }
  });
});

describe('the tools', () => {
  const composed = compose('operator', 'overlays/small', ['tools']);
  const [tools] = podsOf(composed).filter(({ owner }) => owner === 'tools');

  it('read the five key files in one folder, under their usual names', () => {
    const keys = secretsOf(tools as Pod).flatMap(({ path }) => /^\/run\/keys\/(.*)\.json$/.exec(path)?.[1] ?? []);
    expect(keys.toSorted()).toEqual(processes.toSorted());
  });

  it('can write into dist, which holds a copy of the built programs', () => {
    const mountPaths = (tools?.containers[0]?.volumeMounts ?? []).map(({ mountPath }) => mountPath);
    expect(tools?.initContainers?.[0]?.command).toEqual(['cp', '-r', '/vigie/dist/.', '/built']);
    expect(mountPaths).toEqual(expect.arrayContaining(['/vigie/dist', '/backups', '/tmp']));
  });
});

it('explains in its README how to create each secret that the components need', () => {
  const secrets = podsOf(rendered['everything'] ?? []).flatMap(secretsOf);
  const script = read('k8s/share-secrets.sh');
  const manual = secrets
    .map(({ secret }) => secret)
    .filter((name) => !name.startsWith('keys-') && !script.includes(`apply_secret ${name} `));
  expect(new Set(manual)).toEqual(new Set(['smtp', 's3', 'traces', 'backup']));
  for (const name of manual) expect(read('k8s/README.md')).toContain(`secret generic ${name} `);
});

describe('a rule', () => {
  type BreakManifest = (fields: {
    pod: Pod;
    container: Container;
    spec: (kind: string, name: string) => Record<string, unknown>;
  }) => void;
  const cases: [string, BreakManifest][] = [
    ['ssh-agent: mounts a service account token', ({ pod }) => delete pod.automountServiceAccountToken],
    ['ssh-agent: has service links in its environment', ({ pod }) => (pod.enableServiceLinks = true)],
    ['ssh-agent: may be root', ({ pod }) => (pod.securityContext = { ...pod.securityContext, runAsUser: 0 })],
    ['ssh-agent: may be root', ({ pod }) => delete pod.securityContext],
    ['ssh-agent: may make any system call', ({ pod }) => delete pod.securityContext?.seccompProfile],
    ['ssh-agent: shares a namespace with its host', ({ pod }) => Object.assign(pod, { hostNetwork: true })],
    ['ssh-agent: tmp has no size limit', ({ pod }) => pod.volumes?.push({ name: 'tmp', emptyDir: {} })],
    ['ssh-agent: etc mounts a folder of its host', ({ pod }) => pod.volumes?.push({ name: 'etc', hostPath: {} })],
    ['ssh-agent: does not have 90 s to stop', ({ pod }) => (pod.terminationGracePeriodSeconds = 30)],
    ['ssh-agent: may gain privileges', ({ container }) => delete container.securityContext?.allowPrivilegeEscalation],
    ['ssh-agent: may write its own files', ({ container }) => delete container.securityContext?.readOnlyRootFilesystem],
    ['ssh-agent: has capabilities', ({ container }) => delete container.securityContext?.capabilities],
    [
      'ssh-agent: has capabilities',
      ({ container }) =>
        Object.assign(container.securityContext ?? {}, { capabilities: { drop: ['ALL'], add: ['CHOWN'] } }),
    ],
    ['ssh-agent: has no resource requests', ({ container }) => delete container.resources?.requests],
    ['ssh-agent: has no memory limit', ({ container }) => delete container.resources?.limits],
    ['ssh-agent: has no probes', ({ container }) => delete container.livenessProbe],
    ['ssh-agent: has no probes', ({ container }) => delete container.readinessProbe],
    [
      'ssh-agent: has too little time left after preStop',
      ({ container }) => (container.lifecycle = { preStop: { exec: { command: ['sleep', '60'] } } }),
    ],
    [
      'ssh-agent: is killed before its 86 s to stop are over',
      ({ container }) => container.env?.push({ name: 'VIGIE_STOP_SECONDS', value: '86' }),
    ],
    [
      'ssh-agent: VIGIE_STORE is required',
      ({ container }) => (container.env = container.env?.filter(({ name }) => name !== 'VIGIE_STORE')),
    ],
    [
      'ssh-agent: VIGIE_STOER is not read by ssh-agent',
      ({ container }) => container.env?.push({ name: 'VIGIE_STOER', value: '' }),
    ],
    [
      'ssh-agent: DATABASE_URL is not read by ssh-agent',
      ({ container }) => container.env?.push({ name: 'DATABASE_URL', value: '' }),
    ],
    [
      'ssh-agent: NATS_URL_FILE: no secret is mounted at /run/bus/nats',
      ({ container }) => container.env?.push({ name: 'NATS_URL_FILE', value: '/run/bus/nats' }),
    ],
    [
      'ssh-agent: NATS_URL: secrets must be files',
      ({ container }) => container.env?.push({ name: 'NATS_URL', valueFrom: {} }),
    ],
    [
      'ssh-agent: VIGIE_STORE: no ConfigMap has STORE',
      ({ container }) =>
        container.env?.push({ name: 'VIGIE_STORE', valueFrom: { configMapKeyRef: { name: 'vigie', key: 'STORE' } } }),
    ],
    [
      'ssh-agent: vigie/ssh-agent:latest has no fixed tag',
      ({ container }) => (container.image = 'vigie/ssh-agent:latest'),
    ],
    ['ssh-agent: vigie/ssh-agent has no fixed tag', ({ container }) => (container.image = 'vigie/ssh-agent')],
    ['ssh-agent: nats:2.9 is not what compose runs', ({ container }) => (container.image = 'nats:2.9')],
    [
      'ssh-agent: reads keys-auth-svc/keys.json',
      ({ pod }) => pod.volumes?.push({ name: 'more', secret: { secretName: 'keys-auth-svc' } }),
    ],
    ['ssh-agent: reads tls/tls.key', ({ pod }) => pod.volumes?.push({ name: 'more', secret: { secretName: 'tls' } })],
    [
      'ssh-agent: reads database/owner-url',
      ({ pod }) =>
        pod.volumes?.push({
          name: 'more',
          secret: { secretName: 'database', items: [{ key: 'owner-url', path: 'u' }] },
        }),
    ],
    [
      'ssh-agent: missing volume claim magasin',
      ({ pod }) => Object.assign(pod.volumes?.[3] ?? {}, { persistentVolumeClaim: { claimName: 'magasin' } }),
    ],
    [
      'ssh-agent: no disruption budget',
      ({ spec }) => (spec('PodDisruptionBudget', 'ssh-agent')['selector'] = { matchLabels: { a: 'b' } }),
    ],
    [
      'PodDisruptionBudget ssh-agent selects no pod',
      ({ spec }) => (spec('PodDisruptionBudget', 'ssh-agent')['selector'] = { matchLabels: { a: 'b' } }),
    ],
    [
      'ScaledObject ssh-agent scales no deployment',
      ({ spec }) => (spec('ScaledObject', 'ssh-agent')['scaleTargetRef'] = { name: 'agent' }),
    ],
    ['ssh-agent has replicas and an autoscaler', ({ spec }) => (spec('Deployment', 'ssh-agent')['replicas'] = 2)],
    [
      'migrate-auth-svc: no policy of its Ingress',
      ({ spec }) => (spec('NetworkPolicy', 'nobody')['policyTypes'] = ['Egress']),
    ],
    [
      'browsers-to-gateway: gateway does not listen at 80',
      ({ spec }) => (spec('NetworkPolicy', 'browsers-to-gateway')['ingress'] = [{ ports: [{ port: 80 }] }]),
    ],
  ];

  it.each(cases)('reports “%s”', (fault, breakIt) => {
    const broken = structuredClone(large);
    const spec = (kind: string, name: string) =>
      broken.find((resource) => resource.kind === kind && resource.metadata.name === name)?.spec as Record<
        string,
        unknown
      >;
    const { template } = spec('Deployment', 'ssh-agent') as { template: { spec: Pod } };
    const [container] = template.spec.containers;
    if (!container) throw new Error('no container');
    breakIt({ pod: template.spec, container, spec });
    expect(faultsIn(broken)).toContain(fault);
  });
});
