import { inject } from 'vitest'

/** Source of the gateway that runs beside the components in these tests; `undefined` if `FTL_TEST_GATEWAY` is `sandboxed`. */
export const gatewaySource = (): string | undefined => inject('nativeGateway') || undefined

/** The same of the component `remote`. */
export const remoteSource = (): string | undefined => inject('nativeRemote') || undefined

/** Path of the program of a worker in one file. */
export const workerProgram = (): string | undefined => inject('workerProgram') || undefined
