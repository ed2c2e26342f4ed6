/**
 * Asking the client something in the middle of a call: the component answers with its questions, the client
 * sends the same request again with the answers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */

/** Content type of a call that carries more than arguments: a {@link CallEnvelope}. */
export const CALL_ENVELOPE_TYPE = 'application/vnd.ftl.call+json'

/** Body of a repeated call. A first call's body is the arguments object itself. */
export interface CallEnvelope {
  arguments: Record<string, unknown>
  /** The client's answers by the keys of `inputRequests`. Any key may be missing, unknown keys may be there. */
  inputResponses?: Record<string, unknown>
  /** The component's own, as it gave it: the gateway has checked that nobody changed it. */
  requestState?: string
}

/** What a client can be asked. */
export const INPUT_METHODS: readonly string[] = [
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
] satisfies InputRequest['method'][]

/** A question; only what the client can do may be asked (`ftl-client-capabilities`). */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params?: Record<string, unknown>
}

/** Answer of a call, a prompt or a resource that cannot go on without the client. */
export interface InputRequired {
  resultType: 'input_required'
  /** By keys of the component's own. This or `requestState` must be there. */
  inputRequests?: Record<string, InputRequest>
  /** What the component wants back with the answers. The client may read it; a change is noticed and refused. */
  requestState?: string
}
