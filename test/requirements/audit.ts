/** Rules against tests: every rule is held by something, and everything that is named exists. */
import { ALL, REFERENCE, type Revision, type Rule } from './rule.ts'
import type { Citation } from './titles.ts'

const REVISIONS: readonly string[] = [...ALL, ...REFERENCE]
const ID = /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/
const SPECIFICATION_PAGE =
  /^https:\/\/modelcontextprotocol\.io\/specification\/(\d{4}-\d{2}-\d{2})\/[a-z0-9/-]+(#[a-z0-9%-]+)?$/i
const OWN_DOCUMENT = /^([a-z0-9./-]+\.md)#([a-z0-9-]+)$/

export interface Evidence {
  citations: readonly Citation[]
  /** Ids of the scenarios the conformance suite has for servers. */
  scenarios: ReadonlySet<string>
  /** The headings of a document of this repository, as anchors. */
  headingsOf: (path: string) => ReadonlySet<string>
}

/** What is wrong, a sentence each; nothing when all is well. */
export function audit(rules: readonly Rule[], evidence: Evidence): string[] {
  const known = new Set(rules.map(({ id }) => id))
  const cited = new Set(evidence.citations.map(({ id }) => id))
  const problems = [...duplicates(rules.map(({ id }) => id))].map((id) => `${id} is there twice`)
  for (const rule of rules) {
    problems.push(...formProblems(rule, evidence).map((problem) => `${rule.id} ${problem}`))
    problems.push(...proofProblems(rule, cited, evidence).map((problem) => `${rule.id} ${problem}`))
  }
  for (const { id, at } of evidence.citations) {
    if (!known.has(id)) problems.push(`${at} names the rule ${id}, which is not there`)
  }
  return problems
}

function formProblems({ id, revisions, rule, source }: Rule, evidence: Evidence): string[] {
  const problems: string[] = []
  if (!ID.test(id)) problems.push('must be called chapter.what-it-asks')
  if (rule.trim() === '') problems.push('says nothing')
  if (revisions.length === 0) problems.push('has no revision')
  for (const revision of revisions) {
    if (!REVISIONS.includes(revision)) problems.push(`has the unknown revision ${revision}`)
  }
  return [...problems, ...sourceProblems(source, revisions, evidence)]
}

function sourceProblems(
  source: string,
  revisions: readonly Revision[],
  { headingsOf }: Evidence,
): string[] {
  const [, revision] = SPECIFICATION_PAGE.exec(source) ?? []
  if (revision !== undefined) {
    const applies = (revisions as readonly string[]).includes(revision)
    return applies ? [] : [`cites ${revision}, for which it is not`]
  }
  const [, path, anchor] = OWN_DOCUMENT.exec(source) ?? []
  if (path === undefined || anchor === undefined) return [`has no usable source: "${source}"`]
  return headingsOf(path).has(anchor) ? [] : [`cites ${source}, a heading that is not there`]
}

function proofProblems(
  { id, conformance, unmet }: Rule,
  cited: ReadonlySet<string>,
  { scenarios }: Evidence,
): string[] {
  if (conformance !== undefined && !scenarios.has(conformance)) {
    return [`cites the scenario ${conformance}, which the conformance suite does not have`]
  }
  const held = cited.has(id) || conformance !== undefined
  if (unmet !== undefined) {
    if (unmet.trim() === '') return ['is not met, without a reason']
    return held ? ['is not met, and yet a test holds it'] : []
  }
  return held ? [] : ['is held by no test']
}

function duplicates(ids: readonly string[]): Set<string> {
  return new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
}
