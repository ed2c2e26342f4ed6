/** The audit line of a tool call, whichever transport it came by. */
import { addressOf, isFromComponent, sha256 } from 'ftl-http'
import type { ClientCall } from '../calls/call-tool.ts'
import type { ClientRequest } from '../calls/client-request.ts'
import { traceOf } from '../invoke/call-context.ts'
import type { CallEvents, Outcome, Settled } from '../invoke/outcome.ts'
import { InsufficientScope } from '../policy/insufficient-scope.ts'
import { type AuditEntry, type AuditOutcome, clientOf, shortText, traceIdOf } from './audit-line.ts'
import { write } from './audit.ts'
import { canonicalJson } from './canonical-json.ts'
import { redact } from './redact.ts'

type Ended = Pick<AuditEntry, 'outcome' | 'reason' | 'job'>

/** The outcome of a call, for which a line is written when it ends. */
export async function auditCall(
  client: ClientRequest,
  call: ClientCall,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const started = client.scope.platform.now()
  const done = (ended: Ended) => writeCall(client, call, started, ended)
  let outcome: Outcome
  try {
    outcome = await run()
  } catch (error) {
    await done(endOfError(error))
    throw error
  }
  if (outcome.kind === 'stream') return { kind: 'stream', events: audited(outcome.events, done) }
  await done(
    outcome.kind === 'job' ? { outcome: 'job', job: outcome.job.id } : endOf(outcome, client),
  )
  return outcome

  async function* audited(events: CallEvents, write: (ended: Ended) => Promise<void>): CallEvents {
    let ended: Ended = { outcome: 'cancelled' }
    try {
      const settled = yield* events
      ended = endOf(settled, client)
      return settled
    } catch (error) {
      ended = { outcome: 'failed' }
      throw error
    } finally {
      await write(ended)
    }
  }
}

async function writeCall(
  { gateway, scope, request }: ClientRequest,
  { name, args, meta }: ClientCall,
  started: number,
  ended: Ended,
): Promise<void> {
  const { platform, settings } = scope
  const { pathname } = addressOf(request)
  const catalog = await gateway.tools.known(scope)
  // Also a tool that the caller may not use: the log is not for the caller.
  const tool = (catalog.whole ?? catalog).tool(name)
  const decision = scope.permissions?.decisionOn('tool', name)
  const isDenied = decision?.effect === 'deny'
  const now = platform.now()
  write({
    event: 'call',
    time: new Date(now).toISOString(),
    request: scope.requestId,
    trace: traceIdOf(traceOf(request.headers, meta).traceparent),
    principal: scope.principal,
    client: clientOf(request, meta, scope.caller),
    ...(isFromComponent(request) && { internal: true }),
    face: pathname.startsWith('/mcp') ? 'mcp' : 'http',
    run: scope.run,
    component: tool?.component,
    tool: shortText(name),
    arguments: {
      sha256: await sha256(canonicalJson(args)),
      ...(settings.callSettings.auditArguments && {
        // Of a tool that is not known, nothing says what a secret is.
        values: tool ? redact(args, tool.description.inputSchema) : undefined,
      }),
    },
    ...ended,
    ...(isDenied && { outcome: 'denied' }),
    reason: shortText(isDenied ? decision.reason : ended.reason),
    ms: now - started,
    rule: decision?.rule,
  })
}

function endOfError(error: unknown): Ended {
  return error instanceof InsufficientScope
    ? { outcome: 'denied', reason: error.message }
    : { outcome: 'failed' }
}

function endOf(settled: Settled, { scope }: ClientRequest): Ended {
  switch (settled.kind) {
    case 'result':
      return { outcome: settled.result.isError ? 'tool_error' : 'ok' }
    case 'input-required':
      return { outcome: 'input_required' }
    case 'unknown':
      return { outcome: 'refused', reason: 'There is no such tool.' }
    case 'invalid-arguments': {
      // Where, and not what: the message may quote an argument.
      const fields = settled.errors.map(({ path }) => path || 'arguments').join(', ')
      return { outcome: 'refused', reason: `The arguments are not valid: ${fields}.` }
    }
    case 'refused':
      return { outcome: 'refused', reason: settled.reason }
    case 'missing-capability':
    case 'unusable-schema':
    case 'over-limit':
    case 'not-pinned':
    case 'needs-approval':
    case 'not-approved':
      return { outcome: 'refused', reason: settled.message }
    case 'unreachable':
      if (scope.signal.aborted) return { outcome: 'cancelled' }
      return { outcome: settled.late ? 'timeout' : 'failed', reason: settled.message }
    case 'tool-failed':
      return { outcome: outcomeOfFailure(scope.signal), reason: settled.message }
  }
}

function outcomeOfFailure(signal: AbortSignal): AuditOutcome {
  return signal.aborted ? 'cancelled' : 'failed'
}
