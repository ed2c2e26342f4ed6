/**
 * Finds mistakes that compiler and engine accept during a build and that fail only in a call: values that are read once,
 * at build time, globals that a component does not have, and names that agent frameworks lose.
 *
 * It reads the sources and runs nothing. It does not follow a function that is called at module scope, and it does not
 * report a global that the code checks with `typeof`.
 */
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Node } from 'oxc-parser'
import { engineHint } from './hints.ts'
import { lostNames } from './names-frameworks-lose.ts'
import { excerpt } from './source-excerpt.ts'
import { childrenOf, FUNCTIONS, isInstanceField } from './syntax.ts'

/** Files without one of these words need not be parsed. */
const WORDS = /\b(Date|Buffer|process|Intl|createTool)\b|[tT]oLocale|localeCompare/
const MISSING = ['Buffer', 'process', 'Intl']
/** Methods, and which of their arguments is a locale. */
const LOCALE_ARGUMENT: Readonly<Record<string, number>> = {
  toLocaleString: 0,
  toLocaleDateString: 0,
  toLocaleTimeString: 0,
  toLocaleUpperCase: 0,
  toLocaleLowerCase: 0,
  localeCompare: 1,
}

/** Members of `Intl` that format or compare. */
const FORMATS = [
  ...['NumberFormat', 'DateTimeFormat', 'Collator', 'PluralRules', 'RelativeTimeFormat'],
  ...['ListFormat', 'Segmenter'],
]
/** English, and Swedish for its order of dates. */
const KNOWN_LOCALE = /^(en|sv)\b/

interface Found {
  at: number
  length: number
  message: string
}

/**
 * @param files absolute paths of the author's own modules.
 * @param hasIntl whether the component gets `Intl`, in English.
 */
export async function findMistakes(files: readonly string[], hasIntl: boolean): Promise<string[]> {
  const warnings: string[] = []
  for (const file of files.filter((path) => /\.[mc]?[jt]sx?$/.test(path))) {
    const text = await readFile(file, 'utf8')
    if (!WORDS.test(text)) continue
    const { parseSync } = await import('oxc-parser')
    for (const { at, length, message } of mistakesIn(
      parseSync(file, text, { preserveParens: false }).program,
      text,
      hasIntl,
    )) {
      const lines = text.slice(0, at).split('\n')
      const column = (lines.at(-1)?.length ?? 0) + 1
      const place = { file: relative(process.cwd(), file), line: lines.length, column, length }
      warnings.push(excerpt(place, message))
    }
  }
  return warnings
}

function mistakesIn(program: Node, text: string, hasIntl: boolean): Found[] {
  const found: Found[] = []
  const own = new Set(MISSING.filter((name) => isMinded(name, text)))
  if (hasIntl) own.add('Intl')

  /** @param atOnce whether it runs when the module is loaded. */
  function visit(node: Node, atOnce: boolean): void {
    const message =
      (atOnce ? frozen(node) : undefined) ?? foreignLocale(node, hasIntl) ?? lacking(node, own)
    if (message !== undefined) {
      found.push({ at: node.start, length: node.end - node.start, message })
      const [, name = ''] = /^(\w+) is not defined/.exec(message) ?? []
      own.add(name)
    }
    const called = node.type === 'CallExpression' ? node.callee : undefined
    for (const child of childrenOf(node)) {
      const later = FUNCTIONS.includes(child.type) || isInstanceField(child)
      visit(child, atOnce && (!later || child === called))
    }
  }
  visit(program, true)
  return [...found, ...lostNames(program, childrenOf)]
}

/** The call that is read only once, while the component is built. */
function frozen(node: Node): string | undefined {
  let called: string | undefined
  if (node.type === 'NewExpression' && node.arguments.length === 0) {
    if (isNamed(node.callee, 'Date')) called = 'new Date()'
  } else if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const { object, property } = node.callee
    if (isNamed(object, 'Date') && isNamed(property, 'now')) called = 'Date.now()'
  }
  return (
    called &&
    `${called} at module scope is read once, while the component is built, and is the same in every call. ` +
      'Move it into the handler.'
  )
}

/** A locale for which there is no data: any without `Intl`, and any but English with it. */
function foreignLocale(node: Node, hasIntl: boolean): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return undefined
  const { name } = callee.property
  const isFormat = hasIntl && isNamed(callee.object, 'Intl') && FORMATS.includes(name)
  const place = isFormat ? 0 : Object.hasOwn(LOCALE_ARGUMENT, name) ? LOCALE_ARGUMENT[name] : -1
  const argument = node.arguments[place ?? -1]
  if (argument === undefined) return undefined
  if (!hasIntl) {
    return `${name} ignores the locale here: a component has no Intl. Format by hand, or with a library that brings its own data.`
  }
  const isText = argument.type === 'Literal' && typeof argument.value === 'string'
  if (!isText || KNOWN_LOCALE.test(String(argument.value))) return undefined
  return `${name} takes "${String(argument.value)}" as English: a component has no other language. Format by hand, or with a library that brings its own data.`
}

/** What fails in a call. */
function lacking(node: Node, own: ReadonlySet<string>): string | undefined {
  const used =
    node.type === 'MemberExpression'
      ? node.object
      : node.type === 'NewExpression'
        ? node.callee
        : undefined
  const name = MISSING.find((each) => isNamed(used, each) && !own.has(each))
  if (name === undefined || !used) return undefined
  const words = `${name} is not defined`
  return `${words} when this runs. ${engineHint(words) ?? ''}.`
}

/** Whether the code declares, imports or checks the name with `typeof`, or the bundler replaces it. */
function isMinded(name: string, text: string): boolean {
  if (name === 'process' && !/\bprocess\b(?!\.env\.NODE_ENV\b)/.test(text)) return true
  return new RegExp(
    `typeof (globalThis\\.)?${name}\\b|(import|const|let|var|function|class)\\b[^;\\n(=]*\\b${name}\\b|\\(${name}[,):]`,
  ).test(text)
}

function isNamed(node: Node | undefined, name: string): boolean {
  return node?.type === 'Identifier' && node.name === name
}
