/** What a caller gets who has to sign in at a server: a question where the client can ask its user, else words and a link. */
import type { InputRequired, ToolResult } from 'ftl-contract'
import { isObject } from 'ftl-contract'
import { ToolError, ToolResponse } from 'ftl-sdk'
import type { Remotes } from '../catalog.ts'
import type { RemoteServer } from '../servers.ts'
import { callerOf, endSession } from './authorized.ts'
import { confirm } from './confirm.ts'
import { isConsentServer } from './consents.ts'
import { linkFor } from './link.ts'

/** Begins the state of our own questions, whose answers no server gets. */
const STATE = 'ftl-sign-in:'
const [OPENED, ENTERED] = [`${STATE}opened`, `${STATE}entered`]
/** Key of the question. */
const KEY = 'signIn'

const MEANWHILE = 'The link is valid for ten minutes.'

/** Words with the link that a model can pass on. */
export function instructions(server: string, link: string): string {
  return (
    `The server "${server}" needs the user to sign in with their own account. Ask the user to open this link: ${link}\n` +
    `The page shows a code at the end. Call the tool sign_in with {"server": "${server}", "code": "<the code>"}, and then ` +
    `repeat this call. ${MEANWHILE}`
  )
}

/** For requests that are not calls of tools, and for clients that cannot be asked. */
export async function signInError(remotes: Remotes, server: RemoteServer): Promise<ToolError> {
  const { consents, principal } = callerOf(remotes, server)
  const url = await linkFor(consents, server, principal)
  const data = { kind: 'sign_in_required', server: server.name, url }
  return new ToolError(instructions(server.name, url), data)
}

export async function askToSignIn(
  remotes: Remotes,
  server: RemoteServer,
): Promise<ToolResult | InputRequired> {
  if (!mayAsk(remotes, 'url')) throw await signInError(remotes, server)
  const { consents, principal } = callerOf(remotes, server)
  const url = await linkFor(consents, server, principal)
  const message = `Sign in at "${server.name}" with your own account. The page shows a code at the end.`
  const params = { mode: 'url', message, url, elicitationId: consents.platform.randomUUID() }
  return question(params, OPENED)
}

/**
 * Continues a sign-in that an earlier answer to this call has asked for.
 *
 * @returns `undefined` when the call can go on.
 */
export async function settleSignIn(
  remotes: Remotes,
  server: RemoteServer,
): Promise<ToolResult | InputRequired | undefined> {
  const { inputResponses = {}, requestState = '' } = remotes.context
  if (!isConsentServer(server) || !requestState.startsWith(STATE)) return undefined
  // No server gets answers to our questions.
  remotes.isAnswered = true
  const answer = inputResponses[KEY]
  const { action, content } = isObject(answer) ? answer : {}
  if (action !== 'accept') {
    return ToolResponse.error(
      `The user did not sign in at "${server.name}", so nothing was called.`,
    )
  }
  if (requestState === OPENED)
    return askForCode(remotes, server, 'Enter the code that the page shows')
  const { consents, principal } = callerOf(remotes, server)
  const code = isObject(content) ? content['code'] : undefined
  const confirmed =
    typeof code === 'string' ? await confirm(consents, server, principal, code) : 'wrong'
  if (confirmed === 'confirmed') {
    await endSession(remotes, server)
    return undefined
  }
  return confirmed === 'wrong'
    ? askForCode(remotes, server, 'This is not the code. Enter the code that the page shows')
    : askToSignIn(remotes, server)
}

async function askForCode(
  remotes: Remotes,
  server: RemoteServer,
  message: string,
): Promise<ToolResult | InputRequired> {
  if (!mayAsk(remotes, 'form')) {
    return ToolResponse.error(
      `Ask the user for the code that the page shows at the end. Call the tool sign_in with {"server": "${server.name}", ` +
        '"code": "<the code>"}, and then repeat this call.',
    )
  }
  const requestedSchema = {
    type: 'object',
    properties: { code: { type: 'string', title: 'Code', minLength: 8, maxLength: 16 } },
    required: ['code'],
  }
  return question({ mode: 'form', message: `${message}.`, requestedSchema }, ENTERED)
}

function question(params: Record<string, unknown>, requestState: string): InputRequired {
  return {
    resultType: 'input_required',
    inputRequests: { [KEY]: { method: 'elicitation/create', params } },
    requestState,
  }
}

function mayAsk({ context }: Remotes, mode: 'url' | 'form'): boolean {
  const { elicitation } = context.clientCapabilities
  if (!isObject(elicitation)) return false
  // Before there were two modes there were only forms.
  return isObject(elicitation[mode]) || (mode === 'form' && Object.keys(elicitation).length === 0)
}
