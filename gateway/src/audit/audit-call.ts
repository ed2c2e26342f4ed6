/** The audit lines of a tool call, whichever transport it came by: one before a component gets it, one when it ends. */
import type { ClientCall } from '../calls/call-tool.ts'
import type { ClientRequest } from '../calls/client-request.ts'
import type { Begins } from '../invoke/call-context.ts'
import type { CallEvents, Outcome } from '../invoke/outcome.ts'
import { describeArguments, isDigestible } from './audit-arguments.ts'
import { membersOf, shortText } from './audit-line.ts'
import { senderOf, timeOf } from './audit.ts'
import { type Ended, endOf, endOfError } from './ended.ts'
import { reportBegin, reportEnd } from './reported-calls.ts'

/** The outcome of a call. Its line is written when it ends, and another one before anything can have changed. */
export async function auditCall(
  client: ClientRequest,
  call: ClientCall,
  run: (begins: Begins) => Promise<Outcome>,
): Promise<Outcome> {
  const lines = linesOf(client, call)
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

interface CallLines {
  /** What cannot be written down fails here, before it has done anything. */
  begins: Begins
  /** Never fails: the call may have had its effect, and its caller must get the result. */
  end: (ended: Ended) => Promise<void>
}

function linesOf(
  { gateway, scope, request }: ClientRequest,
  { name, args, meta }: ClientCall,
): CallLines {
  const { platform, settings } = scope
  const { auditArguments, auditByHost } = settings.callSettings
  const started = platform.now()
  /** By which the two lines find each other; empty if the call went to no component. */
  let id = ''
  /** What the line of the beginning says, and the line of the end repeats; empty if the host has the beginning. */
  let begun: string | undefined

  const decide = () => scope.permissions?.decisionOn('tool', name)
  const print = (event: 'begin' | 'call', members: string) => {
    // The host looks for the event and the id at these places.
    const call = id && `"call":"${id}",`
    console.log(`{"audit":1,"event":"${event}","time":"${timeOf(platform)}",${call}${members}}`)
  }

  /** @param component that gets the call. Without it also one whose tool the caller may not use: the log is not for the caller. */
  async function about(component?: string, text?: string): Promise<string> {
    const isKnown = component !== undefined && !auditArguments
    const catalog = isKnown ? undefined : await gateway.tools.known(scope)
    const tool = catalog && (catalog.whole ?? catalog).tool(name)
    return membersOf({
      ...who(component ?? tool?.component),
      arguments: await describeArguments(
        args,
        text,
        // Of a tool that is not known, nothing says what a secret is.
        auditArguments ? tool?.description.inputSchema : undefined,
      ),
      rule: decide()?.rule,
    })
  }

  const who = (component: string | undefined) => ({
    ...senderOf(scope, request, meta),
    run: scope.run,
    component,
    tool: shortText(name),
  })

  /** @returns whether the host words both lines. */
  function isReported(
    call: string,
    component: string,
    text: string,
    headers: Record<string, string>,
  ): boolean {
    if (!auditByHost || auditArguments || !isDigestible(args, text)) return false
    return reportBegin(headers, call, JSON.stringify({ ...who(component), rule: decide()?.rule }))
  }

  return {
    begins: async (component, text, headers) => {
      if (begun !== undefined) return
      const call = platform.randomUUID()
      if (component !== undefined && headers && isReported(call, component, text, headers)) {
        id = call
        begun = ''
        return
      }
      begun = await about(component, text)
      id = call
      print('begin', begun)
    },
    end: async (ended) => {
      const decision = begun === undefined ? decide() : undefined
      const isDenied = decision?.effect === 'deny'
      const end = {
        ...ended,
        ...(isDenied && { outcome: 'denied' as const }),
        reason: shortText(isDenied ? decision.reason : ended.reason),
        ms: platform.now() - started,
      }
      if (begun === '' && end.outcome === 'ok' && reportEnd(scope, id, end.ms)) return
      try {
        // Nothing in the end of most calls is a stranger's text.
        const members = end.outcome === 'ok' ? `"outcome":"ok","ms":${end.ms}` : membersOf(end)
        if (begun === '') print('call', members)
        else print('call', `${begun ?? (await about())},${members}`)
      } catch {
        const called = begun === '' ? {} : { request: scope.requestId, tool: shortText(name) }
        print('call', membersOf({ ...called, ...end, reason: 'The line is not whole.' }))
      }
    },
  }
}
