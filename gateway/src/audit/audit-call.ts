/** The audit lines of a tool call, whichever transport it came by: one before a component gets it, one when it ends. */
import type { ClientCall } from '../calls/call-tool.ts'
import type { ClientRequest } from '../calls/client-request.ts'
import { catalogFor } from '../catalog/catalog.ts'
import type { Begins } from '../invoke/call-context.ts'
import type { CallEvents, Outcome } from '../invoke/outcome.ts'
import { describeArguments, isDigestible } from './audit-arguments.ts'
import { membersOf } from './audit-line.ts'
import { shortText } from '../short-text.ts'
import { senderOf, timeOf } from './audit.ts'
import { type Ended, endOf, endOfError } from './how-call-ended.ts'
import { reportBegin, type ReportedCall, reportEnd } from './reported-calls.ts'

/**
 * The outcome of a call. Its line is written when it ends, and another one before anything can have changed.
 *
 * Most calls pass without another promise than the one they have: in a component it costs as much as wording a line.
 */
export function auditCall(
  client: ClientRequest,
  call: ClientCall,
  run: (begins: Begins) => Promise<Outcome>,
): Promise<Outcome> {
  const lines = new CallLines(client, call)
  try {
    return run((...begun) => lines.begins(...begun)).then(
      (outcome) => lines.ended(outcome),
      (error: unknown) => lines.failed(error),
    )
  } catch (error) {
    return lines.failed(error)
  }
}

/** A call goes on without waiting, if nothing is to be waited for. */
type Written = Promise<void> | undefined

class CallLines {
  readonly #client: ClientRequest
  readonly #call: ClientCall
  readonly #started: number
  /** By which the two lines find each other; empty if the call went to no component. */
  #id = ''
  /** What the line of the beginning says, and the line of the end repeats. */
  #begun: string | undefined
  /** The host has the beginning. */
  #reported: ReportedCall | undefined

  constructor(client: ClientRequest, call: ClientCall) {
    this.#client = client
    this.#call = call
    this.#started = client.scope.platform.now()
  }

  /** What cannot be written down fails here, before it has done anything. */
  begins(...[component, text, headers]: Parameters<Begins>): Written {
    if (this.#reported || this.#begun !== undefined) return undefined
    if (component !== undefined && headers) {
      this.#reported = this.#report(component, text, headers)
      if (this.#reported) return undefined
    }
    return this.#printBegin(component, text)
  }

  /** The same outcome, whose line is written. */
  ended(outcome: Outcome): Outcome | Promise<Outcome> {
    if (outcome.kind === 'stream') return { kind: 'stream', events: this.#audited(outcome.events) }
    const written = this.#end(
      outcome.kind === 'job'
        ? { outcome: 'job', job: outcome.job.id }
        : endOf(outcome, this.#client.scope.connection),
    )
    return written ? written.then(() => outcome) : outcome
  }

  /** An outcome that never comes. */
  async failed(error: unknown): Promise<never> {
    await this.#end(endOfError(error))
    throw error
  }

  async *#audited(events: CallEvents): CallEvents {
    let ended: Ended = { outcome: 'cancelled' }
    try {
      const settled = yield* events
      ended = endOf(settled, this.#client.scope.connection)
      return settled
    } catch (error) {
      ended = { outcome: 'failed' }
      throw error
    } finally {
      await this.#end(ended)
    }
  }

  /** Never fails: the call may have had its effect, and its caller must get the result. */
  #end(ended: Ended): Written {
    if (this.#reported && ended.outcome === 'ok' && reportEnd(this.#reported)) return undefined
    return this.#printEnd(ended)
  }

  /** Lets the host word both lines, if it can. */
  #report(
    component: string,
    text: string,
    headers: Record<string, string>,
  ): ReportedCall | undefined {
    const { scope } = this.#client
    const { auditArguments, auditByHost } = scope.settings.callSettings
    if (!auditByHost || auditArguments || !isDigestible(this.#call.args, text)) return undefined
    const about = { ...this.#who(component), rule: this.#decision?.rule }
    return reportBegin(scope, headers, JSON.stringify(about))
  }

  async #printBegin(component: string | undefined, text: string): Promise<void> {
    const id = this.#client.scope.platform.randomUUID()
    this.#begun = await this.#about(component, text)
    this.#id = id
    this.#print('begin', this.#begun)
  }

  async #printEnd(ended: Ended): Promise<void> {
    const { platform, requestId } = this.#client.scope
    const hasBegun = this.#reported !== undefined || this.#begun !== undefined
    const decision = hasBegun ? undefined : this.#decision
    const isDenied = decision?.effect === 'deny'
    const end = {
      ...ended,
      ...(isDenied && { outcome: 'denied' as const }),
      reason: shortText(isDenied ? decision.reason : ended.reason),
      ms: platform.now() - this.#started,
    }
    try {
      // Nothing in the end of most calls is a stranger's text.
      const members = end.outcome === 'ok' ? `"outcome":"ok","ms":${end.ms}` : membersOf(end)
      if (this.#reported) this.#print('call', members)
      else this.#print('call', `${this.#begun ?? (await this.#about())},${members}`)
    } catch {
      const called = this.#reported ? {} : { request: requestId, tool: shortText(this.#call.name) }
      this.#print('call', membersOf({ ...called, ...end, reason: 'The line is not complete.' }))
    }
  }

  get #decision() {
    return this.#client.scope.permissions?.decisionOn('tool', this.#call.name)
  }

  #print(event: 'begin' | 'call', members: string): void {
    const id = this.#reported?.number ?? this.#id
    // The host looks for the event and the id at these places.
    const call = id && `"call":"${id}",`
    const time = timeOf(this.#client.scope.platform)
    console.log(`{"audit":1,"event":"${event}","time":"${time}",${call}${members}}`)
  }

  /** @param component that gets the call. Without it also one whose tool the caller may not use: the log is not for the caller. */
  async #about(component?: string, text?: string): Promise<string> {
    const { gateway, scope } = this.#client
    const { name, args } = this.#call
    const { auditArguments } = scope.settings.callSettings
    const isKnown = component !== undefined && !auditArguments
    const catalog = isKnown ? undefined : await catalogFor(gateway.tools, scope, name)
    const tool = catalog && (catalog.whole ?? catalog).tool(name)
    return membersOf({
      ...this.#who(component ?? tool?.component),
      arguments: await describeArguments(
        args,
        text,
        // Of a tool that is not known, nothing says what a secret is.
        auditArguments ? tool?.description.inputSchema : undefined,
      ),
      rule: this.#decision?.rule,
    })
  }

  #who(component: string | undefined) {
    const { scope, request } = this.#client
    return {
      ...senderOf(scope, request, this.#call.meta),
      run: scope.run,
      component,
      tool: shortText(this.#call.name),
    }
  }
}
