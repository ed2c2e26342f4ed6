/** What a tool may be called: its component in `spin.toml`, its folder and, with underscores, the tool itself. */
import { NewFailure } from './failure.ts'

/**
 * Spin's rule for component ids: words of letters and digits between single hyphens, each beginning with a letter.
 *
 * @see https://spinframework.dev/v4/manifest-reference
 */
const COMPONENT_ID = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/

/** The name becomes the host name `{component}.spin.internal`. @see https://www.rfc-editor.org/rfc/rfc1035 */
const LONGEST = 63

const RESERVED: Record<string, string> = {
  'mcp-gateway': 'is the gateway itself',
  'get-job': 'would be the tool get_job, which the gateway has',
  'cancel-job': 'would be the tool cancel_job, which the gateway has',
  // Devices on Windows, whatever the folder.
  ...Object.fromEntries(
    ['con', 'prn', 'aux', 'nul', ...numbered('com'), ...numbered('lpt')].map((name) => [
      name,
      'cannot be a folder on Windows',
    ]),
  ),
}

/** npm installs no package into one of the same name. */
const PACKAGES = [
  'ftl',
  'ftl-gateway',
  'ftl-sdk',
  'ftl-workflows',
  'typescript',
  'vite',
  'vitest',
  'zod',
]

export interface NameRules {
  /** The name is also that of a package, the new application. @default false */
  application?: boolean
  /** Names the template cannot have, with the reason. @default none */
  reserved?: Readonly<Record<string, string>>
}

/** What is wrong with a name, with one to use instead where there is one; `undefined` when it is right. */
export function nameProblem(name: string, rules: NameRules = {}): string | undefined {
  const reason = reasonAgainst(name, rules)
  if (reason === undefined) return undefined
  const other = suggestName(name, rules)
  const usable = other !== '' && reasonAgainst(other, rules) === undefined
  return `"${name}" ${reason}${usable ? `; use "${other}"` : ''}`
}

/** @throws {NewFailure} with {@link nameProblem}. */
export function checkName(name: string, rules?: NameRules): void {
  const problem = nameProblem(name, rules)
  if (problem !== undefined) throw new NewFailure(`the name ${problem}`)
}

function reasonAgainst(
  name: string,
  { application = false, reserved = {} }: NameRules,
): string | undefined {
  if (name === '') return 'is empty'
  if (name.length > LONGEST) return `is longer than ${LONGEST} characters`
  if (!COMPONENT_ID.test(name)) {
    return 'is not kebab-case (words of a-z and 0-9 that begin with a letter, with "-" between them)'
  }
  const all = { ...RESERVED, ...reserved }
  if (Object.hasOwn(all, name)) return all[name]
  if (application && PACKAGES.includes(name)) return 'is the name of a package it needs'
  return undefined
}

/** The nearest name that fits the rules; empty where nothing is left. */
export function suggestName(text: string, rules: NameRules = { application: true }): string {
  const words = text
    .normalize('NFKD')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[\u0300-\u036f']/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  // "gpt-4" has a word that begins with a digit; "gpt4" has not.
  let joined = words.reduce(
    (name, word) => (name === '' || /^\d/.test(word) ? name + word : `${name}-${word}`),
    '',
  )
  if (/^\d/.test(joined)) joined = `tool${joined}`
  if (reasonAgainst(joined, rules) !== undefined && joined.length < LONGEST - 5) {
    joined = joined === '' ? '' : `${joined}-tool`
  }
  return joined.slice(0, LONGEST).replace(/-+$/, '')
}

/** The tool of a component: `my-tool` offers `my_tool`. */
export function toolName(component: string): string {
  return component.replaceAll('-', '_')
}

function numbered(name: string): string[] {
  return Array.from({ length: 9 }, (_, index) => `${name}${index + 1}`)
}
