/** The tools `sign_in` and `sign_out`, which are offered if there is a server where each user signs in. */
import { pause } from 'ftl-contract'
import { createTool, type Tool, type ToolDescription, ToolError, ToolResponse } from 'ftl-sdk'
import type { Remotes } from '../catalog.ts'
import { learnLists } from '../current-list.ts'
import { instructions } from './ask.ts'
import { authorized, callerOf, endSession } from './authorized.ts'
import { confirm } from './confirm.ts'
import { type ConsentServer, isConsentServer } from './consents.ts'
import { linkFor } from './link.ts'
import { signOut, type SignedOut } from './tokens.ts'

/** Reserved for returning the answer to the caller. */
const MARGIN_MS = 400

const [SIGN_IN, SIGN_OUT] = ['sign_in', 'sign_out']
export const SIGN_IN_TOOLS: readonly string[] = [SIGN_IN, SIGN_OUT]

export function signInTools({ servers, consents }: Remotes): ToolDescription[] {
  if (!consents) return []
  const names = servers.filter(isConsentServer).map(({ name }) => name)
  const server = { type: 'string', enum: names, description: 'Name of the server' }
  return [
    {
      name: SIGN_IN,
      title: 'Sign in at a server',
      description:
        `Connects the user's own account at a server: ${names.join(', ')}. Without a code, it returns a link that the user ` +
        'opens in a browser. The page shows a code, with which this tool is called again.',
      inputSchema: {
        type: 'object',
        properties: {
          server,
          code: { type: 'string', maxLength: 64, description: 'The code that the page shows' },
        },
        required: ['server'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    {
      name: SIGN_OUT,
      title: 'Sign out at a server',
      description: `Forgets the user's tokens for a server, and revokes them: ${names.join(', ')}.`,
      inputSchema: {
        type: 'object',
        properties: { server },
        required: ['server'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: false, idempotentHint: true, openWorldHint: true },
    },
  ]
}

export function signInTool(remotes: Remotes, name: string): Tool | undefined {
  const description = signInTools(remotes).find((tool) => tool.name === name)
  if (!description) return undefined
  const { inputSchema } = description
  return createTool({
    metadata: { name, inputSchema },
    handler: async (args: Readonly<Record<string, unknown>>) => {
      const server = remotes.servers.find((each) => each.name === args['server'])
      if (!server || !isConsentServer(server)) throw new ToolError('There is no such server.')
      const { code } = args
      if (name === SIGN_OUT) return signedOut(remotes, server)
      return typeof code === 'string' && code.trim() !== ''
        ? confirmed(remotes, server, code)
        : linked(remotes, server)
    },
  })
}

async function linked(remotes: Remotes, server: ConsentServer) {
  const { consents, principal } = callerOf(remotes, server)
  const url = await linkFor(consents, server, principal)
  const { name } = server
  return ToolResponse.structured({ status: 'link', server: name, url }, instructions(name, url))
}

async function confirmed(remotes: Remotes, server: ConsentServer, code: string) {
  const { consents, principal } = callerOf(remotes, server)
  const { name } = server
  const result = await confirm(consents, server, principal, code)
  if (result === 'wrong') throw new ToolError('This is not the code that the page shows.')
  if (result === 'none') {
    throw new ToolError(
      `No sign-in at "${name}" waits for a code. Call sign_in without a code for a new link.`,
    )
  }
  await endSession(remotes, server)
  const { deadline, platform } = remotes.context
  // The answer says that the tools are there, unless the server is slow. Without them the user has signed in all the same.
  const learned = authorized(remotes, server, deadline)
    .then(({ server: withToken }) => learnLists(remotes, server, withToken))
    .catch(() => undefined)
  platform.waitUntil(learned)
  await Promise.race([learned, pause(Math.max(1, deadline - MARGIN_MS))])
  return ToolResponse.structured(
    { status: 'signed_in', server: name },
    `Signed in at "${name}". Its tools now use the user's own account.`,
  )
}

const OUTCOMES: Record<SignedOut, string> = {
  none: 'There was no sign-in.',
  revoked: 'The tokens are forgotten and revoked.',
  partly: 'The tokens are forgotten. The last one is valid until it expires.',
  unsupported:
    'The tokens are forgotten. The authorization server cannot revoke them: they are valid until they expire.',
  failed: 'The tokens are forgotten. The authorization server did not revoke them.',
}

async function signedOut(remotes: Remotes, server: ConsentServer) {
  const { consents, principal } = callerOf(remotes, server)
  const revocation = await signOut(consents, server, principal)
  await endSession(remotes, server)
  const { name } = server
  return ToolResponse.structured(
    { status: 'signed_out', server: name, revocation },
    `Signed out at "${name}". ${OUTCOMES[revocation]}`,
  )
}
