/** Runs the decision while the component is built, so that a request finds its functions compiled: see warm-up.ts. */
import { parsePolicy } from './parse-policy.ts'
import { CallerPermissions } from './caller-permissions.ts'

const RULE = {
  name: 'rehearsal',
  principals: ['key:*'],
  groups: ['*'],
  components: ['re*'],
  tools: ['reh*al', '*_x'],
  actions: ['call'],
}
const TEXT = JSON.stringify({
  rules: [
    { ...RULE, effect: 'deny', annotations: { readOnlyHint: true, destructiveHint: false } },
    { ...RULE, effect: 'allow', scopes: ['a'], resources: ['x:*'] },
  ],
})

/** Only while the component is built. @throws {Error} if it has prepared the wrong thing. */
export function rehearsePolicy(): void {
  const policy = parsePolicy(TEXT)
  const caller = { principal: 'key:a', groups: ['a'], scopes: ['a'] }
  const target = { kind: 'tool', component: 'rehearsal', name: 'rehearsal' } as const
  const permissions = policy && new CallerPermissions(policy, caller, () => ({}))
  if (!permissions?.mayUse(target, target.name)) throw new Error('rehearsal of the policy')
}
