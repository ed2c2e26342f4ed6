/**
 * Asks the client for input during a call: the component answers with its questions, the client sends the same request
 * again with the answers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */

/** Content type of a call that carries more than arguments: a {@link CallEnvelope}. */
export const CALL_ENVELOPE_TYPE = 'application/vnd.ftl.call+json'

/** Body of a repeated call. A first call's body is the arguments object itself. */
export interface CallEnvelope {
  arguments: Record<string, unknown>
  /** The client's answers by the keys of `inputRequests`. Any key may be missing, unknown keys may be there. */
  inputResponses?: Record<string, unknown>
  /** The state that the component returned; the gateway has verified that it was not changed. */
  requestState?: string
}

/** Methods that a component may ask a client for. */
export const INPUT_METHODS: readonly string[] = [
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
] satisfies InputRequest['method'][]

/** A question to the client. Ask only for what the client supports (`ftl-client-capabilities`). */
export interface InputRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  params?: Record<string, unknown>
}

/** Answer to a call, a prompt or a resource request that needs input from the client to continue. */
export interface InputRequired {
  resultType: 'input_required'
  /** By keys that the component chooses. This or `requestState` is required. */
  inputRequests?: Record<string, InputRequest>
  /** Returned to the component with the answers. The client can read it; the gateway rejects a changed one. */
  requestState?: string
}
