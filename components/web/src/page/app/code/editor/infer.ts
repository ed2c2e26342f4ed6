/** What expressions of a program are, as far as it follows from the declarations: an approximation for completion. */
import type { SyntaxNode, Tree } from '@lezer/common'
import type { Declared, ProgramTool } from '../declared/program-tools.ts'
import { itemsOf, memberOf, type Shape } from '../declared/shape.ts'

export interface Program {
  tree: Tree
  /** Its text between two places. */
  slice: (from: number, to: number) => string
  components: Declared['components']
}

/** Expressions that are looked at for one answer. */
const MOST_STEPS = 40
const OVER_ITEMS = new Set([
  ...['map', 'filter', 'find', 'findLast', 'some', 'every', 'forEach', 'flatMap'],
])
const SAME_LIST = new Set(['filter', 'slice', 'toSorted', 'sort', 'reverse', 'toReversed'])
const ONE_ITEM = new Set(['find', 'findLast', 'at', 'pop', 'shift'])

const textOf = ({ slice }: Program, { from, to }: SyntaxNode) => slice(from, to)

/** Names of `tools.a.b`, `tools['a'].b`: without `tools`. */
export function toolPath(program: Program, node: SyntaxNode | null): string[] | undefined {
  if (!node) return undefined
  if (node.name === 'VariableName') return textOf(program, node) === 'tools' ? [] : undefined
  if (node.name !== 'MemberExpression') return undefined
  const path = toolPath(program, node.firstChild)
  const name = memberName(program, node)
  return path && name !== undefined ? [...path, name] : undefined
}

/** @returns `undefined` for one that is not written yet or is computed. */
function memberName(program: Program, node: SyntaxNode): string | undefined {
  const name = node.getChild('PropertyName')
  if (name) return textOf(program, name)
  const literal = node.getChild('String')
  return literal ? textOf(program, literal).slice(1, -1) : undefined
}

/** The tool that a call calls. */
export function toolOfCall(program: Program, call: SyntaxNode | null): ProgramTool | undefined {
  if (call?.name !== 'CallExpression') return undefined
  const path = toolPath(program, call.firstChild)
  if (path?.length !== 2) return undefined
  return program.components.get(path[0] ?? '')?.get(path[1] ?? '')
}

/** What an expression is. */
export function inferShape(
  program: Program,
  node: SyntaxNode | null,
  steps = 0,
): Shape | undefined {
  if (!node || steps > MOST_STEPS) return undefined
  const next = (other: SyntaxNode | null) => inferShape(program, other, steps + 1)
  switch (node.name) {
    case 'VariableName':
      return shapeOfVariable(program, node, steps)
    case 'AwaitExpression':
      return next(node.lastChild)
    case 'ParenthesizedExpression':
      return next(node.firstChild?.nextSibling ?? null)
    case 'MemberExpression': {
      const of = next(node.firstChild)
      const name = memberName(program, node)
      if (!of) return undefined
      return name === undefined ? itemsOf(of) : memberOf(of, name)
    }
    case 'CallExpression': {
      const tool = toolOfCall(program, node)
      if (tool) return tool.output
      const callee = node.firstChild
      if (callee?.name !== 'MemberExpression') return undefined
      const method = memberName(program, callee) ?? ''
      const list = next(callee.firstChild)
      if (!list) return undefined
      if (SAME_LIST.has(method)) return list
      return ONE_ITEM.has(method) ? itemsOf(list) : undefined
    }
    default:
      return undefined
  }
}

/** The nearest declaration of the name before the place where it is used. */
function shapeOfVariable(program: Program, use: SyntaxNode, steps: number): Shape | undefined {
  const name = textOf(program, use)
  let found: SyntaxNode | undefined
  program.tree.iterate({
    to: use.from,
    enter: ({ name: kind, node }) => {
      if (kind === 'VariableDefinition' && textOf(program, node) === name) found = node
    },
  })
  return found && shapeOfDefinition(program, found, steps + 1)
}

function shapeOfDefinition(
  program: Program,
  definition: SyntaxNode,
  steps: number,
): Shape | undefined {
  const { parent } = definition
  if (!parent) return undefined
  if (parent.name === 'PatternProperty') {
    const pattern = parent.parent
    const of = pattern ? shapeOfDefinition(program, pattern, steps + 1) : undefined
    const key = parent.getChild('PropertyName') ?? definition
    return of && memberOf(of, textOf(program, key))
  }
  if (parent.name === 'VariableDeclaration') {
    const equals = after(definition, 'Equals')
    return inferShape(program, equals?.nextSibling ?? null, steps)
  }
  if (parent.name === 'ForOfSpec') {
    const list = inferShape(program, parent.getChild('of')?.nextSibling ?? null, steps)
    return list && itemsOf(list)
  }
  if (parent.name === 'ParamList') return itemOfCallback(program, parent, steps)
  return undefined
}

/** `list.map((item) => …)` */
function itemOfCallback(program: Program, params: SyntaxNode, steps: number): Shape | undefined {
  const call = params.parent?.parent?.parent
  const callee = call?.name === 'CallExpression' ? call.firstChild : null
  if (callee?.name !== 'MemberExpression') return undefined
  if (!OVER_ITEMS.has(memberName(program, callee) ?? '')) return undefined
  const list = inferShape(program, callee.firstChild, steps)
  return list && itemsOf(list)
}

function after(node: SyntaxNode, name: string): SyntaxNode | undefined {
  for (let next = node.nextSibling; next; next = next.nextSibling) {
    if (next.name === name) return next
    if (next.name === 'VariableDefinition' || next.name === ',') return undefined
  }
  return undefined
}

/** The shape of an object literal that is an argument of a tool, or inside of one. */
export function shapeOfLiteral(program: Program, literal: SyntaxNode): Shape | undefined {
  const { parent } = literal
  if (parent?.name === 'ArgList') return toolOfCall(program, parent.parent)?.input
  if (parent?.name === 'Property') {
    const key = parent.firstChild
    const outer = parent.parent && shapeOfLiteral(program, parent.parent)
    return outer && key ? memberOf(outer, keyText(program, key)) : undefined
  }
  if (parent?.name === 'ArrayExpression') {
    const list = shapeOfLiteral(program, parent)
    return list && itemsOf(list)
  }
  return undefined
}

/** The shape of a pattern: `const { … } = await tools.a.b()`. */
export function shapeOfPattern(program: Program, pattern: SyntaxNode): Shape | undefined {
  return shapeOfDefinition(program, pattern, 0)
}

export function keyText(program: Program, key: SyntaxNode): string {
  const written = textOf(program, key)
  return key.name === 'String' ? written.slice(1, -1) : written
}
