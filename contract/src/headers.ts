/**
 * Headers of the component contract. The gateway removes any of the same name that a client sent before it
 * sets its own, so that a component behind a private route can trust them.
 */

/** The member of the component that the request is for; only where the component has several. */
export const COMPONENT_HEADER = 'ftl-component'
/** Id of the client's request, for logs. */
export const REQUEST_ID_HEADER = 'ftl-request-id'
/** Milliseconds the caller will still wait. */
export const DEADLINE_HEADER = 'ftl-deadline'
/** Who calls, where the gateway knows it. */
export const PRINCIPAL_HEADER = 'ftl-principal'
/** JSON of what the gateway has verified about that caller: `scopes`, `issuer`, `user`, `client`; only with a principal. */
export const CALLER_HEADER = 'ftl-caller'
/** The access token of that caller; only for the components that the operator names, and only with a principal. */
export const CALLER_TOKEN_HEADER = 'ftl-caller-token'
/** `scheme://host:port` that the client of the chat has called; the chat sends it to the gateway with the client's token. */
export const CLIENT_ORIGIN_HEADER = 'ftl-client-origin'
/** The same key means the same job: nothing is started twice. */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
/** `Prefer: respond-async` allows an answer 202 with a job. @see https://www.rfc-editor.org/rfc/rfc7240 */
export const PREFER_HEADER = 'prefer'
/** Value of `prefer`: who asks takes a job. Source: RFC 7240, section 4.1. */
export const RESPOND_ASYNC = 'respond-async'

/** Revision of MCP that the client uses, such as `2025-11-25`; absent = a caller of plain HTTP or JSON-RPC. */
export const CLIENT_PROTOCOL_HEADER = 'ftl-client-protocol'
/** JSON of what the client can be asked for; absent = nothing. */
export const CLIENT_CAPABILITIES_HEADER = 'ftl-client-capabilities'
/** Least severe log level the client wants; absent = no log messages. */
export const LOG_LEVEL_HEADER = 'ftl-log-level'

/** `1` when the client follows tasks, so that a tool may take longer than any call. */
export const TASKS_HEADER = 'ftl-tasks'
