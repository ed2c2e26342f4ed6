/** Credentials come from variables of the component. No argument, description or result has them. */
import type { ApiCredential, ApiPlan } from 'ftl-contract'
import { toBase64 } from '../tool/base64.ts'
import { ConfigurationError } from '../tool/errors.ts'
import { HEADER_VALUE } from './styles.ts'

export interface Credentials {
  headers: [name: string, value: string][]
  query: [name: string, value: string][]
  cookies: [name: string, value: string][]
  /** What results must not have. */
  secrets: string[]
  /** Whether something is sent. */
  isSent: boolean
  /** Variables to set for an operation that wants credentials. */
  variables: string[]
}

type Read = (variable: string) => string | undefined

/** The first alternative whose variables are all set; none otherwise, because some APIs also answer without. */
export function credentialsFor(
  { credentials }: Pick<ApiPlan, 'credentials'>,
  security: readonly (readonly string[])[],
  read: Read,
): Credentials {
  const known = new Map(Object.entries(credentials))
  const alternatives = security.map((names) => names.flatMap((name) => known.get(name) ?? []))
  const all: Credentials = {
    ...{ headers: [], query: [], cookies: [], secrets: [], isSent: false },
    variables: [...new Set(alternatives.flat().flatMap(variablesOf))],
  }
  const isSet = (each: ApiCredential) =>
    variablesOf(each).every((name) => (read(name) ?? '') !== '')
  const chosen = alternatives.find((each) => each.every(isSet)) ?? []
  for (const credential of chosen) add(all, credential, read)
  return all
}

function variablesOf(credential: ApiCredential): string[] {
  return credential.in === 'basic'
    ? [credential.username, credential.password]
    : [credential.variable]
}

function add(all: Credentials, credential: ApiCredential, read: Read): void {
  all.isSent = true
  if (credential.in === 'basic') {
    const password = read(credential.password) ?? ''
    const bytes = new TextEncoder().encode(`${read(credential.username) ?? ''}:${password}`)
    const encoded = toBase64(bytes)
    all.headers.push(['authorization', `Basic ${encoded}`])
    all.secrets.push(password, encoded)
    return
  }
  const { name, variable, prefix = '' } = credential
  const value = (read(variable) ?? '').trim()
  const places = { header: all.headers, query: all.query, cookie: all.cookies }
  // A token is often copied together with its "Bearer ".
  if (credential.in === 'header' && !HEADER_VALUE.test(value)) {
    throw new ConfigurationError(
      `the variable ${variable} must have no line breaks and only characters of Latin-1: it is sent in a header`,
    )
  }
  const start = value.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() ? '' : prefix
  places[credential.in].push([name, start + value])
  all.secrets.push(value, ...value.split(/\s+/).slice(1))
}

const REDACTED = '[redacted]'
/** Characters. Shorter values would match in any text. */
const SHORTEST = 6

/** APIs echo requests, in error messages for example. */
export function redacted(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter(({ length }) => length >= SHORTEST)
    .flatMap((value) => [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value.toWellFormed()),
      ...inHtml(value),
    ])
  // Longest first: replacing a part would leave the rest of a longer secret.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return ordered.reduce((clean, form) => clean.replaceAll(form, REDACTED), text)
}

/** As pages of errors have it: with names, and as Go, Django and Express write the others. */
function inHtml(value: string): string[] {
  const named = value.replace(
    /[&<>]/g,
    (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each] ?? each,
  )
  const forms = [
    ['&#34;', '&#39;', '&#43;', '/', '='],
    ['&quot;', '&#x27;', '+', '/', '='],
    ['&quot;', '&#39;', '+', '/', '='],
    ['&quot;', '&#x27;', '+', '&#x2F;', '='],
    ['&quot;', '&#39;', '&#x2B;', '&#x2F;', '&#x3D;'],
  ]
  return forms.map((form) =>
    named.replace(/["'+/=]/g, (each) => form[`"'+/=`.indexOf(each)] ?? each),
  )
}
