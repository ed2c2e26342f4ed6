/** Checks that a gateway with authentication has a policy, and that one with a policy has authentication. */
import type { ComponentManifest, Variables } from 'ftl-host'
import { parsePolicy, PolicyError } from 'ftl-gateway/policy'
import { isAuthenticated } from '../serve/exposure.ts'
import { type Finding, ok, problem } from './finding.ts'

const REMEDY =
  'set the variable policy, for example --variable policy=signed-in, which permits everything to every authenticated caller: docs/authorization.md'

export function checkPolicyOf(
  { id, variables: own }: ComponentManifest,
  variables: Pick<Variables, 'resolve'>,
): Finding[] {
  const template = Object.hasOwn(own, 'policy') ? own['policy'] : undefined
  const text = template === undefined ? '' : variables.resolve(template).trim()
  const authenticates = isAuthenticated(own, variables)
  if (text === '') {
    if (!authenticates) return []
    const add =
      template === undefined
        ? `add policy = "{{ policy }}" to [component.${id}.variables], and `
        : ''
    const message = `no policy: ${id} authenticates its callers, and permits nothing to them`
    return [problem('policy', message, add + REMEDY)]
  }
  if (!authenticates) {
    const message = `${id} has a policy, but does not authenticate its callers, so it refuses every request`
    const remedy = 'set api_keys, auth_issuers or trust_forwarded_user, or remove the policy'
    return [problem('policy', message, remedy)]
  }
  try {
    const policy = parsePolicy(text)
    const rules = policy?.rules.length ?? 0
    return [ok('policy', policy?.signedIn ? 'signed-in' : `${rules} rule${rules === 1 ? '' : 's'}`)]
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    return [problem('policy', `is not valid: ${error.message}`, 'ftl policy check says more')]
  }
}
