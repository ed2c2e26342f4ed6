/**
 * The fields of SpinKube's objects that our files use, as the operator defines them.
 *
 * @see https://www.spinkube.dev/docs/reference/spin-app/
 * @see https://www.spinkube.dev/docs/reference/spin-app-executor/
 */
import * as z from 'zod'

const name = z.string().regex(/^[a-z0-9-]{1,63}$/)
const metadata = z.strictObject({
  name,
  namespace: name.optional(),
  labels: z.record(z.string(), z.string()).optional(),
})

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string() }),
  initialDelaySeconds: z.int().optional(),
  periodSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
})

const secretKey = z.strictObject({ secretKeyRef: z.strictObject({ name, key: z.string() }) })
const variable = z.union([
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({ name: z.string(), valueFrom: secretKey }),
])

/** By `kind`. */
export const SPINKUBE = {
  SpinApp: z.strictObject({
    apiVersion: z.literal('core.spinkube.dev/v1alpha1'),
    kind: z.literal('SpinApp'),
    metadata,
    spec: z
      .strictObject({
        image: z.string(),
        executor: name,
        replicas: z.int().optional(),
        enableAutoscaling: z.boolean().optional(),
        checks: z.strictObject({ readiness: probe.optional(), liveness: probe.optional() }),
        resources: z.strictObject({
          requests: z.partialRecord(z.enum(['cpu', 'memory']), z.string()),
          limits: z.partialRecord(z.enum(['cpu', 'memory']), z.string()),
        }),
        runtimeConfig: z.strictObject({ loadFromSecret: name }),
        variables: z.array(variable),
      })
      // The operator refuses both.
      .refine(({ replicas, enableAutoscaling }) => !(replicas && enableAutoscaling)),
  }),
  SpinAppExecutor: z.strictObject({
    apiVersion: z.literal('core.spinkube.dev/v1alpha1'),
    kind: z.literal('SpinAppExecutor'),
    metadata,
    spec: z.strictObject({
      createDeployment: z.boolean(),
      deploymentConfig: z.strictObject({
        runtimeClassName: z.string(),
        installDefaultCACerts: z.boolean().optional(),
        otel: z.strictObject({ exporter_otlp_endpoint: z.url() }).optional(),
      }),
    }),
  }),
}
