/** The audit lines of a tool call, whichever transport it came by: one before a component gets it, one when it ends. */
import type { ClientCall } from '../calls/call-tool.ts'
import type { ClientRequest } from '../calls/client-request.ts'
import type { Begins } from '../invoke/call-context.ts'
import type { CallEvents, Outcome } from '../invoke/outcome.ts'
import { describeArguments } from './audit-arguments.ts'
import { membersOf, shortText } from './audit-line.ts'
import { senderOf, startOf } from './audit.ts'
import { type Ended, endOf, endOfError } from './ended.ts'

/** The outcome of a call. Its line is written when it ends, and another one before anything can have changed. */
export async function auditCall(
  client: ClientRequest,
  call: ClientCall,
  run: (begins: Begins) => Promise<Outcome>,
): Promise<Outcome> {
  const lines = new CallLines(client, call)
  const { signal } = client.scope
  let outcome: Outcome
  try {
    outcome = await run(lines.begins)
  } catch (error) {
    await lines.end(endOfError(error))
    throw error
  }
  if (outcome.kind === 'stream') return { kind: 'stream', events: audited(outcome.events) }
  await lines.end(
    outcome.kind === 'job' ? { outcome: 'job', job: outcome.job.id } : endOf(outcome, signal),
  )
  return outcome

  async function* audited(events: CallEvents): CallEvents {
    let ended: Ended = { outcome: 'cancelled' }
    try {
      const settled = yield* events
      ended = endOf(settled, signal)
      return settled
    } catch (error) {
      ended = { outcome: 'failed' }
      throw error
    } finally {
      await lines.end(ended)
    }
  }
}

class CallLines {
  readonly #client: ClientRequest
  readonly #call: ClientCall
  readonly #started: number
  /** Member by which the two lines find each other; empty if the call went to no component. */
  #id = ''
  /** What the line of the beginning says, and the line of the end repeats. */
  #begun: string | undefined

  constructor(client: ClientRequest, call: ClientCall) {
    this.#client = client
    this.#call = call
    this.#started = client.scope.platform.now()
  }

  /** What cannot be written down fails here, before it has done anything. */
  readonly begins: Begins = async (component, text) => {
    if (this.#begun !== undefined) return
    this.#begun = await this.#about(component, text)
    this.#id = `"call":"${this.#client.scope.platform.randomUUID()}",`
    this.#write('begin', this.#begun)
  }

  /** Never throws: the call may have had its effect, and its caller must get the result. */
  async end(ended: Ended): Promise<void> {
    const { scope } = this.#client
    const decision = scope.permissions?.decisionOn('tool', this.#call.name)
    const isDenied = this.#begun === undefined && decision?.effect === 'deny'
    const end = {
      ...ended,
      ...(isDenied && { outcome: 'denied' as const }),
      reason: shortText(isDenied ? decision.reason : ended.reason),
      ms: scope.platform.now() - this.#started,
    }
    try {
      this.#write('call', `${this.#begun ?? (await this.#about())},${membersOf(end)}`)
    } catch {
      const { requestId: request } = scope
      const tool = shortText(this.#call.name)
      const reason = 'The rest of this line could not be made.'
      this.#write('call', membersOf({ request, tool, ...end, reason }))
    }
  }

  /** @param component that gets the call; without one, of a tool that the caller may not use: the log is not for the caller. */
  async #about(component?: string, text?: string): Promise<string> {
    const { gateway, scope, request } = this.#client
    const { name, args, meta } = this.#call
    const { auditArguments } = scope.settings.callSettings
    const isKnown = component !== undefined && !auditArguments
    const catalog = isKnown ? undefined : await gateway.tools.known(scope)
    const tool = catalog && (catalog.whole ?? catalog).tool(name)
    // Of a tool that is not known, nothing says what a secret is.
    const schema = auditArguments ? tool?.description.inputSchema : undefined
    return membersOf({
      ...senderOf(scope, request, meta),
      run: scope.run,
      component: component ?? tool?.component,
      tool: shortText(name),
      arguments: await describeArguments(args, text, schema),
      rule: scope.permissions?.decisionOn('tool', name)?.rule,
    })
  }

  #write(event: 'begin' | 'call', members: string): void {
    console.log(`${startOf(event, this.#client.scope)}${this.#id}${members}}`)
  }
}
