/** Where an application can be deployed, with the limits that its documentation gives. */

/** What a deployment to a platform has to respect. */
export interface DeployTarget {
  title: string
  /** Program that deploys. */
  tool: string
  /** Bytes of all components. @default no limit */
  applicationBytes?: number
  /** Milliseconds of one request. @default no limit */
  requestMs?: number
  /** The only labels of key-value stores. @default those of a runtime configuration */
  stores?: readonly string[]
  /** Whether requests of one client may reach different instances, which must share their store. */
  isSpread: boolean
  /** Whether other machines reach it as soon as it runs. */
  isPublic: boolean
  /** Whether it is started with the `.env` of this folder, whose values then hold there, too. @default false */
  readsEnvFile?: boolean
  /** Whether only the bridge runs there, so that no component has to fit. @default false */
  isBridge?: boolean
  /** Limits that no check of the plan can see, with their source. */
  facts: readonly string[]
}

/** @see https://techdocs.akamai.com/akamai-functions/docs/quotas-and-limits */
const AKAMAI: DeployTarget = {
  title: 'Akamai Functions',
  tool: 'spin aka deploy',
  applicationBytes: 50 * 1024 ** 2,
  requestMs: 30_000,
  stores: ['default'],
  isSpread: true,
  isPublic: true,
  facts: [
    'bodies of 10 MiB, 128 MiB of memory for a request',
    '50 writes and 1000 reads of the store per second, for the whole application',
    'reads in another region can be older than the last write, and no write is on a condition',
    '"ftl up --platform akamai" serves the application within these limits on this machine',
  ],
}

export const DEPLOY_TARGETS: ReadonlyMap<string, DeployTarget> = new Map([
  [
    'container',
    {
      title: 'a container image with the embedded host',
      tool: 'podman build',
      isSpread: false,
      isPublic: true,
      readsEnvFile: true,
      facts: [
        'the image runs without root and with a read-only root file system; /state and /tmp are written to',
        'the image has the application, but no values of variables: give them with --env-file',
        'with more than one container, the stores must be in Redis or Valkey',
      ],
    },
  ],
  [
    'spin',
    {
      title: 'Spin',
      tool: 'spin up',
      isSpread: false,
      isPublic: false,
      readsEnvFile: true,
      facts: [
        'memory of a component is not limited unless --max-instance-memory is given',
        'components share the entries of a store with the same label, unless "ftl spin-config" separates them',
      ],
    },
  ],
  [
    'spinkube',
    {
      title: 'SpinKube',
      tool: 'spin registry push',
      isSpread: true,
      isPublic: true,
      facts: [
        'the store in a pod is lost with the pod and not shared: use Redis or Valkey',
        'all components run in one pod; calls between them do not leave it',
      ],
    },
  ],
  ['akamai', AKAMAI],
  [
    'cloudflare-bridge',
    {
      title: 'Cloudflare Workers (the WebSocket bridge only)',
      tool: 'wrangler deploy',
      isBridge: true,
      isSpread: true,
      isPublic: true,
      facts: [
        'only the bridge runs there: the gateway is deployed elsewhere, at an address that Cloudflare reaches',
        'each stream is a Durable Object, so all sockets of a job meet in one place',
      ],
    },
  ],
])
