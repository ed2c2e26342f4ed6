/** Finds mistakes in a policy that the gateway cannot see: names of nothing, and rules that never apply. */
import { matchesName, type Policy, type Rule, type Target } from 'ftl-gateway/policy'
import { nearestName } from 'ftl-host/nearest-name'
import { visible } from '../terminal/visible-text.ts'
import type { Published } from './published.ts'
import { shadowsOf } from './shadowed.ts'

export interface PolicyFinding {
  /** The field, such as `rules[2].tools[0]`. */
  path: string
  message: string
}

/** The gateway's own tools. */
const JOB_TOOLS = ['get_job', 'cancel_job']

export function checkPolicy({ rules }: Policy, published: Published): PolicyFinding[] {
  const shadows = shadowsOf(rules)
  return rules.flatMap((rule, place) => {
    const path = `rules[${place}]`
    const shadow = shadows[place]
    const shadowed = shadow !== undefined && {
      path,
      message: `${titleOf(rule, place)} can never apply: ${titleOf(rules[shadow], shadow)} comes before it and applies to everything that it names`,
    }
    return [...(shadowed ? [shadowed] : []), ...unknownNames(rule, path, published)]
  })
}

/** `rule 3 ("no pictures")` */
function titleOf(rule: Rule | undefined, place: number): string {
  const name = rule?.name
  return `rule ${place + 1}${name === undefined ? '' : ` (${JSON.stringify(visible(name))})`}`
}

const KINDS = { tools: 'tool', prompts: 'prompt', resources: 'resource' } as const

function unknownNames(rule: Rule, path: string, published: Published): PolicyFinding[] {
  const { components, entries, missing } = published
  const findings: PolicyFinding[] = []
  const known = [...components, 'chat']
  const note = (list: string, place: number, message: string) =>
    findings.push({ path: `${path}.${list}[${place}]`, message })
  rule.components?.forEach((pattern, place) => {
    if (known.some((name) => matchesName(pattern, name))) return
    note('components', place, `${quoted(pattern)} is not in tool_components${hint(pattern, known)}`)
  })
  // A tool may belong to a component that could not be asked.
  const unsure = missing.map(({ component }) => component).join(', ')
  const doubt = unsure === '' ? '' : ` that could be asked (not ${unsure})`
  for (const list of ['tools', 'prompts', 'resources'] as const) {
    const kind = KINDS[list]
    const names = entries.targets.filter((target) => target.kind === kind).flatMap(namesOf)
    rule[list]?.forEach((pattern, place) => {
      if (kind === 'tool' && JOB_TOOLS.includes(pattern)) {
        const message = `${pattern} is not decided by the policy: every caller who may start jobs has it, for its own jobs`
        return note(list, place, message)
      }
      if (names.some((name) => matchesName(pattern, name))) return
      if (kind === 'resource' && names.some((name) => mayBeOf(pattern, name))) return
      const what = pattern.includes('*') ? `matches no ${kind}` : `is not a ${kind}`
      note(
        list,
        place,
        `${quoted(pattern)} ${what} of the components${doubt}${hint(pattern, names)}`,
      )
    })
  }
  return findings
}

function namesOf({ name, alias }: Target): string[] {
  return alias === undefined ? [name] : [name, alias]
}

/** Whether an address of the template could match: their beginnings do not differ. */
function mayBeOf(pattern: string, template: string): boolean {
  if (!template.includes('{')) return false
  const [wanted = ''] = pattern.split('*')
  const [fixed = ''] = template.split('{')
  return wanted.startsWith(fixed) || (pattern.includes('*') && fixed.startsWith(wanted))
}

function quoted(name: string): string {
  return JSON.stringify(visible(name))
}

function hint(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known)
  return meant === undefined ? '' : `; did you mean "${visible(meant)}"?`
}
