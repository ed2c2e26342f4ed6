/** Says what the gateway would decide, and by which rule. */
import {
  type Action,
  decide,
  type Decision,
  type OfflineEntries,
  type Policy,
  type Subject,
  type Target,
} from 'ftl-gateway/policy'
import { nearestName } from 'ftl-host/nearest-name'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'

export interface Explained {
  action: Action
  target: Target
  decision: Decision
}

/** How each kind of entry is used; to be listed, it must be permitted, too. */
const USES: Partial<Record<Target['kind'], Action>> = {
  tool: 'call',
  prompt: 'get',
  resource: 'read',
}

const WHAT: Record<Action, string> = {
  call: 'tool',
  get: 'prompt',
  read: 'resource',
  list: 'tool, prompt or resource',
  chat: 'chat',
  observe: 'activity',
}

/** @throws {CommandFailure} if nothing has the name. */
export function explain(
  policy: Policy,
  caller: Subject,
  entries: OfflineEntries,
  action: Action,
  name: string,
): Explained {
  const target = entries.find(action, name)
  if (!target) throw unknown(entries, action, name)
  return { action, target, decision: decisionOn(policy, caller, target, action) }
}

/** Every use of every entry. */
export function explainAll(
  policy: Policy,
  caller: Subject,
  { targets }: OfflineEntries,
): Explained[] {
  return targets.flatMap((target) => {
    const action = USES[target.kind]
    return action ? [{ action, target, decision: decisionOn(policy, caller, target, action) }] : []
  })
}

function decisionOn(policy: Policy, caller: Subject, target: Target, action: Action): Decision {
  const decision = decide(policy, caller, { ...target, action })
  const use = USES[target.kind]
  if (action !== 'list' || decision.effect === 'deny' || !use) return decision
  const used = decide(policy, caller, { ...target, action: use })
  return used.effect === 'deny' ? used : decision
}

function unknown({ targets }: OfflineEntries, action: Action, name: string): CommandFailure {
  const known = targets
    .filter(({ kind }) => action === 'list' || USES[kind] === action)
    .map((target) => target.name)
  const meant = nearestName(name, known)
  const tip = meant === undefined ? '' : `; did you mean "${visible(meant)}"?`
  return new CommandFailure(`there is no ${WHAT[action]} "${visible(name)}"${tip}`)
}

const SENTENCES: Partial<Record<Target['kind'], string>> = {
  chat: 'use the chat',
  activity: 'observe the activity',
}

/** `May ada call upscale_image? No: rule 3 ("no pictures") denies it.` */
export function sentence({ principal }: Subject, { action, target, decision }: Explained): string {
  const { effect, reason, scopes } = decision
  const asked = SENTENCES[target.kind] ?? `${action} ${visible(target.name)}`
  const answer = { allow: 'Yes', deny: 'No', ask: 'Only with approval' }[effect]
  const more = scopes ? ` With the scopes ${scopes.join(' ')} it would be permitted.` : ''
  return `May ${visible(principal)} ${asked}? ${answer}: ${reason}.${more}`
}

/** Exit codes, so that a script can test a policy; 2 is for a command that could not decide. */
export const EXIT_CODES = { allow: 0, deny: 1, ask: 3 } as const

export const FAILED = 2

export function asJson(caller: Subject, { action, target, decision }: Explained): object {
  const { effect, rule, reason, scopes } = decision
  const { kind, component, name } = target
  return { caller, action, kind, component, name, effect, rule: rule ?? null, reason, scopes }
}
