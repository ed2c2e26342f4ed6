/** A request one component sent another on behalf of a request from outside. */
export interface InnerCall {
  component: string
  method: string
  /** Without the query, which may hold secrets. */
  path: string
  /** 0 until there is an answer. */
  status: number
  /** Milliseconds until the answer began. @default no answer */
  ms?: number
}

/** A request from outside, once it is over. */
export interface RequestEntry {
  method: string
  /** Without the query, which may hold secrets. */
  path: string
  /** As the manifest writes it; `undefined` when none fits. */
  route: string | undefined
  /** Components that worked for it, in the order in which they were called. */
  components: readonly string[]
  /** What components asked each other for it, at most 32. @default none */
  calls?: readonly InnerCall[]
  /** 0 when no answer had begun. */
  status: number
  /** From the request's head to the end of the answer. */
  milliseconds: number
  /** Of the answer's body. */
  bytes: number
  /** `cut`: the host broke the answer off; `left`: the client did not wait for its end. */
  outcome: 'answered' | 'cut' | 'left'
  /** Why it failed, where the host knows. */
  reason: string | undefined
  /** `x-request-id` of the client. */
  requestId: string | undefined
}
