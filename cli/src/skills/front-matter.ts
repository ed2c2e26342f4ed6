/**
 * The fields at the top of a `SKILL.md`: YAML between two lines of `---`.
 *
 * @see https://agentskills.io/specification
 */
import { isObject, type SkillFrontmatter } from 'ftl-contract'
import { type Document, LineCounter, parseDocument } from 'yaml'

/** What is wrong with a file, at a line. */
export interface SkillProblem {
  /** From 1. */
  line: number
  message: string
}

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024

/** Aliases (`*x`) that are followed: a few lines of them could make gigabytes. */
const MAX_ALIASES = 20

/** Values deeper than this are refused by readers of JSON. */
const DEEPEST = 32

/** Characters of all fields together: each list of skills has them. */
const MAX_LENGTH = 16 * 1024

/**
 * @param folder the name of the folder that the file is in, which must be the skill's.
 * @returns the fields as JSON, or what is wrong.
 */
export function readFrontMatter(
  text: string,
  folder: string,
): { frontmatter: SkillFrontmatter } | { problems: SkillProblem[] } {
  const yaml = betweenLines(text)
  if (yaml === undefined) {
    const message =
      'must begin with front matter: a line ---, then name: and description:, then a line ---'
    return { problems: [{ line: 1, message }] }
  }
  if (yaml.length > MAX_LENGTH) {
    const message = `the front matter must have at most ${MAX_LENGTH} characters: each list of skills has it`
    return { problems: [{ line: 1, message }] }
  }
  const lines = new LineCounter()
  const document = parsed(yaml, lines)
  if (!document) {
    return { problems: [{ line: 1, message: 'the front matter has too many brackets' }] }
  }
  const mistakes = [...document.errors, ...document.warnings]
  if (mistakes.length > 0) {
    const problems = mistakes.map(({ message, pos: [at] }) => ({
      line: lines.linePos(at).line + 1,
      message: `the front matter is not valid YAML: ${message.split('\n')[0] ?? ''}`,
    }))
    return { problems }
  }
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch {
    return { problems: [{ line: 1, message: 'the front matter has too many aliases (*name)' }] }
  }
  const fields = isObject(value) ? value : {}
  const lineOf = (field: string) => {
    const node: unknown = document.get(field, true)
    const at =
      isObject(node) && Array.isArray(node.range) ? (node.range as unknown[])[0] : undefined
    return typeof at === 'number' ? lines.linePos(at).line + 1 : 1
  }
  const problems = problemsOf(fields, folder).map(([field, message]) => ({
    line: lineOf(field),
    message,
  }))
  return problems.length > 0 ? { problems } : { frontmatter: fields as unknown as SkillFrontmatter }
}

/** @returns `undefined` for text that nests so deep that it cannot be parsed. */
function parsed(yaml: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(yaml, { lineCounter, logLevel: 'silent' })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** @returns `undefined` if the text has no front matter. */
function betweenLines(text: string): string | undefined {
  const lines = (text.startsWith('\ufeff') ? text.slice(1) : text)
    .split('\n')
    // A carriage return at the very end of YAML would belong to its last value.
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  const isFence = (line: string) => line.trimEnd() === '---'
  if (lines[0] !== '---') return undefined
  const end = lines.findIndex((line, index) => index > 0 && isFence(line))
  return end < 0 ? undefined : lines.slice(1, end).join('\n')
}

/** Each with the field that it is about. */
function problemsOf(fields: Record<string, unknown>, folder: string): [string, string][] {
  const found: [string, string][] = []
  const { name, description } = fields
  if (typeof name !== 'string' || name.length > MAX_NAME || !NAME.test(name)) {
    const rule = `1 to ${MAX_NAME} characters of a-z, 0-9 and single dashes`
    found.push(['name', `name must be ${rule}, such as name: ${nameFrom(folder)}`])
  } else if (name !== folder) {
    found.push([
      'name',
      `name must be that of the folder: write name: ${folder}, or rename the folder`,
    ])
  }
  if (typeof description !== 'string' || description.trim() === '') {
    found.push(['description', 'description must say what the skill does, and when to use it'])
  } else if (charactersOf(description) > MAX_DESCRIPTION) {
    found.push(['description', `description must have at most ${MAX_DESCRIPTION} characters`])
  }
  const { metadata = {}, compatibility = 'any' } = fields
  const isMap = isObject(metadata) && Object.getPrototypeOf(metadata) === Object.prototype
  if (!isMap || !Object.values(metadata).every((value) => typeof value === 'string')) {
    found.push(['metadata', 'metadata must be a table of texts: put numbers and others in quotes'])
  }
  if (
    typeof compatibility !== 'string' ||
    compatibility === '' ||
    charactersOf(compatibility) > 500
  ) {
    found.push(['compatibility', 'compatibility must be a text of 1 to 500 characters'])
  }
  if (Object.hasOwn(fields, '__proto__')) {
    found.push(['__proto__', 'the field __proto__ must have another name'])
  }
  for (const [field, value] of Object.entries(fields)) {
    if (!isJson(value)) {
      found.push([field, `${field} must be text, a number, a boolean, a list or a table of them`])
    }
  }
  return found
}

/** As hosts count them: a character beyond 16 bits is one. */
function charactersOf(text: string): number {
  return [...text].length
}

function nameFrom(folder: string): string {
  return NAME.test(folder) ? folder : 'refunds'
}

function isJson(value: unknown, depth = 0): boolean {
  if (depth > DEEPEST) return false
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1))
  if (typeof value === 'object' && value !== null) {
    const isPlain = Object.getPrototypeOf(value) === Object.prototype
    return isPlain && Object.values(value).every((item) => isJson(item, depth + 1))
  }
  return value === null || typeof value === 'string' || typeof value === 'boolean'
}
