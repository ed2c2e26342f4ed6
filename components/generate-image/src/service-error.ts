/**
 * Failures of the service, as opposed to wrong arguments: they end a job, not a call.
 *
 * @module
 */
import type { JobRecord } from 'ftl-sdk/contract'

/** JSON-RPC error code of a job that failed. */
const SERVICE_ERROR = -32000

/** Its message is shown to the client. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly data: Record<string, unknown> | undefined
  constructor(message: string, data?: Record<string, unknown>) {
    super(message)
    this.data = data
  }
}

export function toJobError({ message, data }: ServiceError): NonNullable<JobRecord['error']> {
  return {
    code: SERVICE_ERROR,
    message: `Service error: ${message}`,
    ...(data && { data }),
  }
}
