/** What happens in the gateway that a feature may want to write down. */
import type { JobRecord } from 'ftl-contract'

export type GatewayEvent =
  | {
      /** A request without a caller: its credentials are missing or not accepted. */
      kind: 'unauthenticated'
      request: Request
      response: Response
    }
  | {
      /** The caller may do nothing at all. */
      kind: 'forbidden'
      request: Request
      response: Response
    }
  | {
      /** Something that belongs to all callers was asked for, such as `GET /jobs`. */
      kind: 'observed'
      request: Request
      action: string
      refusal: Response | undefined
    }
  | {
      /** A job is stored. @param before `undefined` for a job that is new. */
      kind: 'job'
      before: JobRecord | undefined
      after: JobRecord
    }
  | {
      /** The component no longer has the job. */
      kind: 'lost-job'
      job: JobRecord
    }
