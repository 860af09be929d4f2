import type { Deployment, StatefulSet } from 'kubernetes-types/apps/v1';
import type { HorizontalPodAutoscaler } from 'kubernetes-types/autoscaling/v2';
import type { Job } from 'kubernetes-types/batch/v1';
import type { ConfigMap, Namespace, PersistentVolumeClaim, Service } from 'kubernetes-types/core/v1';
import type { ObjectMeta } from 'kubernetes-types/meta/v1';
import type { Ingress, NetworkPolicy } from 'kubernetes-types/networking/v1';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1';

/** Of KEDA, what we say to it. */
type ScaledObject = {
  apiVersion: 'keda.sh/v1alpha1';
  kind: 'ScaledObject';
  metadata: ObjectMeta;
  spec: {
    scaleTargetRef: { name: string };
    pollingInterval: number;
    minReplicaCount: number;
    maxReplicaCount: number;
    advanced: {
      horizontalPodAutoscalerConfig: {
        behavior: { scaleDown: { stabilizationWindowSeconds: number } };
      };
    };
    triggers: (
      | {
          type: 'postgresql';
          authenticationRef: { name: string };
          metadata: { query: string; targetQueryValue: string };
        }
      | { type: 'cpu'; metricType: 'Utilization'; metadata: { value: string } }
    )[];
  };
};

type TriggerAuthentication = {
  apiVersion: 'keda.sh/v1alpha1';
  kind: 'TriggerAuthentication';
  metadata: ObjectMeta;
  spec: { secretTargetRef: { parameter: 'connection'; name: string; key: string }[] };
};

/** Of the Prometheus operator. */
type PodMonitor = {
  apiVersion: 'monitoring.coreos.com/v1';
  kind: 'PodMonitor';
  metadata: ObjectMeta;
  spec: {
    selector: { matchLabels: Record<string, string> };
    podMetricsEndpoints: { port: string; interval: string }[];
  };
};

type Known =
  | Deployment
  | StatefulSet
  | HorizontalPodAutoscaler
  | Job
  | ConfigMap
  | Namespace
  | PersistentVolumeClaim
  | Service
  | Ingress
  | NetworkPolicy
  | PodDisruptionBudget
  | ScaledObject
  | TriggerAuthentication
  | PodMonitor;

/** What a manifest of that version and kind may say, and must. */
export type Manifest<Version extends string, Kind extends string> = Required<
  Pick<Extract<Known, { apiVersion?: Version; kind?: Kind }>, 'apiVersion' | 'kind' | 'metadata'>
> &
  Extract<Known, { apiVersion?: Version; kind?: Kind }>;
