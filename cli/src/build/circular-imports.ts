/**
 * Finds values that a module reads, while it is evaluated, from a module that is evaluated after it.
 *
 * Node throws a ReferenceError there. In a bundle all modules are one, whose top-level constants are variables: such a value is
 * `undefined`, and a number made of it `NaN`. What a called function reads is not followed.
 */
import type { Metafile } from 'esbuild'
import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Node, Program } from 'oxc-parser'
import { childrenOf, FUNCTIONS, isInstanceField, valueOf } from './syntax.ts'
import { excerpt } from './source-excerpt.ts'

type Inputs = Metafile['inputs']

/** A file with code: in the name of what a plugin adds is a colon. */
const SOURCE = /^[^:]*\.[cm]?[jt]sx?$/

/**
 * @param entry of the bundle, by its name in `inputs`.
 * @param isAuthors tells the author's files, by their absolute paths, from libraries.
 * @returns each use, with its place and what to do.
 */
export async function circularUses(
  { inputs }: Pick<Metafile, 'inputs'>,
  entry: string,
  isAuthors: (file: string) => boolean,
): Promise<string[]> {
  const order = evaluationOrder(inputs, entry)
  const isLater = (file: string, than: string) => (order.get(file) ?? -1) > (order.get(than) ?? -1)
  const isOwn = (file: string) => SOURCE.test(file) && isAuthors(resolve(file))
  const files = [...order.keys()].filter(isOwn)
  // A file in between may only pass names on, so where there is a circle, all files are read.
  const isCircular = files.some((file) =>
    importsOf(inputs, file).some(({ path }) => isLater(path, file)),
  )
  if (!isCircular) return []
  const { parseSync } = await import('oxc-parser')
  const modules = new Map<string, Module>()
  const module = (file: string): Module => {
    const text = readFileSync(resolve(file), 'utf8')
    const read = modules.get(file) ?? {
      text,
      program: parseSync(resolve(file), text, { preserveParens: false }).program,
    }
    modules.set(file, read)
    return read
  }
  const definedIn = (file: string, name: string) => definition(inputs, module, file, name)
  return files.flatMap((file) => {
    const { program, text } = module(file)
    return usesAtOnce(program)
      .filter(({ from, name }) => {
        const path = resolved(inputs, file, from)
        const found = path !== undefined && isOwn(path) ? definedIn(path, name) : undefined
        return found !== undefined && !found.isFunction && isLater(found.file, file)
      })
      .map(({ from, name, node }) => {
        const before = text.slice(0, node.start).split('\n')
        const column = (before.at(-1)?.length ?? 0) + 1
        const place = { file: relative(process.cwd(), resolve(file)), line: before.length, column }
        return excerpt(
          { ...place, length: node.end - node.start },
          `"${name}" has no value yet: "${from}" is evaluated after this file, because the two import each other. Move what both ` +
            'need into a third file, or read it in a function',
        )
      })
  })
}

interface Module {
  text: string
  program: Program
}

const importsOf = (inputs: Inputs, file: string) =>
  (inputs[file]?.imports ?? []).filter(
    ({ kind, external, path }) =>
      kind === 'import-statement' && external !== true && Object.hasOwn(inputs, path),
  )

const resolved = (inputs: Inputs, file: string, specifier: string): string | undefined =>
  importsOf(inputs, file).find(({ original }) => original === specifier)?.path

/** When each module is evaluated: imports first, in their order. @see https://tc39.es/ecma262/#sec-innermoduleevaluation */
function evaluationOrder(inputs: Inputs, entry: string): Map<string, number> {
  const seen = new Set<string>()
  const order = new Map<string, number>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { path } of importsOf(inputs, file)) visit(path)
    order.set(file, order.size)
  }
  visit(entry)
  return order
}

interface Use {
  /** Specifier of the import. */
  from: string
  /** Name in the module it comes from. */
  name: string
  node: Node
}

/** Imported values that are read while the module is evaluated. */
function usesAtOnce(program: Program): Use[] {
  const imported = new Map<string, { from: string; name: string | undefined }>()
  for (const each of program.body) {
    if (each.type !== 'ImportDeclaration' || each.importKind === 'type') continue
    const from = each.source.value
    for (const specifier of each.specifiers) {
      const name =
        specifier.type === 'ImportSpecifier'
          ? nameOf(specifier.imported)
          : specifier.type === 'ImportDefaultSpecifier'
            ? 'default'
            : undefined
      imported.set(specifier.local.name, { from, name })
    }
  }
  const uses: Use[] = []
  const visit = (node: Node) => {
    if (node.type === 'ImportDeclaration' || node.type === 'ExportSpecifier') return
    if (FUNCTIONS.includes(node.type) || isInstanceField(node)) return
    if (node.type === 'Identifier') {
      const found = imported.get(node.name)
      if (found?.name !== undefined) uses.push({ from: found.from, name: found.name, node })
      return
    }
    if (node.type === 'MemberExpression' && !node.computed) {
      const space = node.object.type === 'Identifier' ? imported.get(node.object.name) : undefined
      if (space && space.name === undefined && node.property.type === 'Identifier') {
        uses.push({ from: space.from, name: node.property.name, node })
      } else visit(node.object)
      return
    }
    const called = node.type === 'CallExpression' ? node.callee : undefined
    if (called && FUNCTIONS.includes(called.type))
      for (const each of childrenOf(called)) visit(each)
    if (node.type === 'Property' && !node.computed) return visit(node.value)
    for (const child of childrenOf(node)) {
      const value = valueOf(child)
      if (value) visit(value)
    }
  }
  visit(program)
  return uses
}

type ModuleName = { type: string; name?: string; value?: string }

const nameOf = (given: ModuleName): string => given.name ?? given.value ?? ''

/** Where the value that a module exports by a name is made; `undefined` where that is not known. */
function definition(
  inputs: Inputs,
  module: (file: string) => Module,
  file: string,
  name: string,
  depth = 0,
): { file: string; isFunction: boolean } | undefined {
  if (depth > 10) return undefined
  const { program } = module(file)
  const through = (from: string, as: string) => {
    const path = resolved(inputs, file, from)
    return path === undefined ? undefined : definition(inputs, module, path, as, depth + 1)
  }
  let local: string | undefined
  for (const each of program.body) {
    if (each.type === 'ExportDefaultDeclaration' && name === 'default') {
      return { file, isFunction: each.declaration.type === 'FunctionDeclaration' }
    }
    if (each.type !== 'ExportNamedDeclaration') continue
    if (each.declaration && declaredNames(each.declaration).includes(name)) {
      return { file, isFunction: each.declaration.type === 'FunctionDeclaration' }
    }
    const specifier = each.specifiers.find(({ exported }) => nameOf(exported) === name)
    if (!specifier) continue
    if (each.source) return through(each.source.value, nameOf(specifier.local))
    local = nameOf(specifier.local)
  }
  if (local !== undefined) {
    const made = program.body.find((each) => declaredNames(each as Node).includes(local))
    return made && { file, isFunction: made.type === 'FunctionDeclaration' }
  }
  for (const each of program.body) {
    if (each.type !== 'ExportAllDeclaration' || each.exported) continue
    const found = through(each.source.value, name)
    if (found) return found
  }
  return undefined
}

/** Names of a declaration of values; patterns are left out. */
function declaredNames(node: Node): string[] {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
    return node.id ? [node.id.name] : []
  }
  if (node.type !== 'VariableDeclaration') return []
  return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
}
