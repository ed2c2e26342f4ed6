/**
 * `ftl-host` for these tests: gateways run beside the components and workers have their program in one file, as under `ftl up`; the former not if FTL_TEST_GATEWAY is `sandboxed`.
 * The nightly run has both.
 */
import * as host from '../../host/src/index.ts'
import { gatewaySource, remoteSource, workerProgram } from './gateway-source.ts'

export * from '../../host/src/index.ts'

const nativeGateway = gatewaySource()
const nativeRemote = remoteSource()
const program = workerProgram()

const withGateway = <T extends host.HostOptions>(options: T): T => ({
  ...(nativeGateway !== undefined && { nativeGateway }),
  ...(nativeRemote !== undefined && { nativeComponents: [nativeRemote] }),
  ...(program !== undefined && { workerProgram: program }),
  ...options,
})

export const startHost: typeof host.startHost = (options) => host.startHost(withGateway(options))

export const startHostProcess: typeof host.startHostProcess = (options) =>
  host.startHostProcess(withGateway(options))
