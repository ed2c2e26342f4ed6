/** Explains why a registry has refused a push. */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'

export interface PushTarget {
  host: string
  repository: string
  /** Where the login is from; empty without one. */
  loginFrom: string
}

/**
 * @param answer body of the registry, as JSON.
 * @param redacted removes the credentials that were sent.
 */
export function pushFailure(
  { host, repository, loginFrom }: PushTarget,
  status: number,
  answer: unknown,
  redacted: (text: string) => string,
): CommandFailure {
  const reason = redacted(reasonOf(answer))
  const said = `${host} answered ${status}${reason === '' ? '' : ` (${reason})`}`
  return new CommandFailure(`${said}: ${remedy(status, host, repository, loginFrom)}`)
}

function remedy(status: number, host: string, repository: string, loginFrom: string): string {
  if (status === 401 || status === 403) return loginRemedy(host, repository, loginFrom)
  if (status === 404)
    return `there is no ${repository} to push to. Create it at the registry, or correct the name after --oci`
  if (status === 400 || status === 405)
    return `it does not accept ${repository}. Correct the name after --oci: lower case, with all folders that ${host} wants`
  if (status === 413) return 'the component is too large for it'
  if (status === 429)
    return 'it limits requests. Try again later: what was uploaded is not sent again'
  if (status >= 500) return 'it failed. Try again later: what was uploaded is not sent again'
  return 'it does not accept the push'
}

/** What to do about a login that is missing, or may not push. */
export function loginRemedy(host: string, repository: string, loginFrom: string): string {
  const how = `run docker login ${host}, or set FTL_REGISTRY_TOKEN`
  if (loginFrom === '') return `pushing to ${repository} needs a login: ${how}`
  if (loginFrom === 'a credential helper')
    return `the login is in a credential helper, which ftl does not run: set FTL_REGISTRY_TOKEN`
  return `the login of ${loginFrom} may not push to ${repository}. Give it write access, or ${how}`
}

/** The message of the first error. @see https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes */
function reasonOf(answer: unknown): string {
  const errors = isObject(answer) && Array.isArray(answer['errors']) ? answer['errors'] : []
  const [first] = errors as unknown[]
  if (!isObject(first)) return ''
  const parts = [first['code'], first['message']].filter((part) => typeof part === 'string')
  return visible(parts.join(': ').slice(0, 160))
}
