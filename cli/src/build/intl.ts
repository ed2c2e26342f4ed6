/**
 * Which parts of `Intl` a component needs. The engine has none, and all parts take 0.3 MB: so a bundle gets those whose names
 * are in its code.
 */
import { fileURLToPath } from 'node:url'
import type { Node } from 'oxc-parser'

interface Part {
  /** Of the module `ftl-sdk/intl/…`. */
  name: string
  /** Members of `Intl`. */
  members: readonly string[]
  /** Methods of strings, numbers and dates. */
  methods?: readonly string[]
}

const PARTS: readonly Part[] = [
  { name: 'collator', members: ['Collator'], methods: ['localeCompare'] },
  {
    name: 'date',
    members: ['DateTimeFormat'],
    methods: ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'],
  },
  { name: 'list', members: ['ListFormat'] },
  { name: 'locale', members: ['Locale', 'getCanonicalLocales'] },
  { name: 'number', members: ['NumberFormat', 'PluralRules'], methods: ['toLocaleString'] },
  { name: 'relative', members: ['RelativeTimeFormat'] },
  { name: 'segmenter', members: ['Segmenter'] },
  { name: 'values', members: ['supportedValuesOf'] },
]

/** Code without one of these words need not be parsed. */
const WORDS = /\bIntl\b|\.toLocale(Date|Time)?String\b|\.localeCompare\b/

/**
 * @param code of the bundle.
 * @param intl whether all or none are wanted, whatever the code says. @default those whose names are in the code
 */
export async function intlParts(code: string, intl?: boolean): Promise<string[]> {
  if (intl === true) return PARTS.map(({ name }) => name)
  if (intl === false || !WORDS.test(code)) return []
  const { parseSync } = await import('oxc-parser')
  const used: Names = { names: new Set(), methods: new Set() }
  collect(parseSync('bundle.js', code).program, used)
  const usesIntl = used.names.has('Intl')
  const hasMember = ({ members }: Part) => usesIntl && members.some((name) => used.names.has(name))
  const hasMethod = ({ methods = [] }: Part) => methods.some((name) => used.methods.has(name))
  // Without a name, the code puts one together, as in Intl[kind].
  const isHidden = usesIntl && !PARTS.some(hasMember)
  const found = PARTS.filter((part) => isHidden || hasMember(part) || hasMethod(part))
  return found.map(({ name }) => name)
}

interface Names {
  /** All identifiers, so no texts: a web page in the bundle has its own `Intl`. */
  names: Set<string>
  /** What follows a dot. */
  methods: Set<string>
}

function collect(node: Node, used: Names): void {
  if (node.type === 'Identifier') used.names.add(node.name)
  if (node.type === 'MemberExpression' && node.property.type === 'Identifier') {
    used.methods.add(node.property.name)
  }
  for (const value of Object.values(node) as unknown[]) {
    if (Array.isArray(value)) {
      for (const each of value as unknown[]) if (isNode(each)) collect(each, used)
    } else if (isNode(value)) collect(value, used)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Absolute paths of the modules that add the parts to the globals. */
export function intlModules(parts: readonly string[]): string[] {
  return parts.map((part) => fileURLToPath(import.meta.resolve(`ftl-sdk/intl/${part}`)))
}
