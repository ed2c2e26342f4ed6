/** Completion from the declarations of the tools: components, tools, arguments, their values, and fields of results. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from '@codemirror/autocomplete'
import { localCompletionSource } from '@codemirror/lang-javascript'
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'
import { access, type Declared, type ProgramTool, property } from '../declared/program-tools.ts'
import { descriptionOf, literalsOf, type Member, membersOf, typeOf } from '../declared/shape.ts'
import { GLOBALS } from './program-globals.ts'
import {
  inferShape,
  keyText,
  type Program,
  shapeOfLiteral,
  shapeOfPattern,
  toolPath,
} from './infer.ts'
import { toolCard } from './tool-card.ts'

const WORD = /^[\w$]*$/

/** Milliseconds in which the rest of the program is parsed, if it is not yet. */
const PARSE_MS = 100

export function programOf(state: EditorState, { components }: Declared, to: number): Program {
  const slice = (from: number, to: number) => state.doc.sliceString(from, to)
  return { tree: ensureSyntaxTree(state, to, PARSE_MS) ?? syntaxTree(state), slice, components }
}

/** @param known read at each completion. */
export function completeTools(known: () => Declared) {
  return (context: CompletionContext): CompletionResult | null => {
    const { state, pos } = context
    const program = programOf(state, known(), pos)
    const node = program.tree.resolveInner(pos, -1)
    if (/Comment/.test(node.name)) return null
    const value = completeValue(program, node, pos)
    if (value) return value
    if (/String|Regexp/.test(node.name)) return null
    const member = memberAt(node)
    if (member) return completeMember(program, member, pos)
    const keys = completeKeys(program, node, pos)
    if (keys) return keys
    const typed = context.matchBefore(/[\w$]+/)
    if (!typed && !context.explicit) return null
    const locals = localCompletionSource(context)
    const options = [...GLOBALS, ...(locals?.options ?? [])]
    return { from: typed?.from ?? pos, options, validFor: WORD }
  }
}

/** The member expression whose name is being written. */
function memberAt(node: SyntaxNode): SyntaxNode | undefined {
  const isName = node.name === 'PropertyName' || node.name === '.' || node.name === '?.'
  return isName && node.parent?.name === 'MemberExpression' ? node.parent : undefined
}

function completeMember(
  program: Program,
  member: SyntaxNode,
  pos: number,
): CompletionResult | null {
  const object = member.firstChild
  const dot = object?.nextSibling
  if (!object || !dot || dot.to > pos) return null
  const { from, to: start } = dot
  const path = toolPath(program, object)
  const { components } = program
  if (path?.length === 0) {
    const options = [...components].map(([name, tools]): Completion => {
      const detail = tools.size === 1 ? '1 tool' : `${tools.size} tools`
      return { label: name, type: 'namespace', detail, apply: inPlace(from, access(name)) }
    })
    return { from: start, options, validFor: WORD }
  }
  const tools = path?.length === 1 ? components.get(path[0] ?? '') : undefined
  if (tools) {
    const options = [...tools.values()].map((tool) => toolOption(tool, from))
    return { from: start, options, validFor: WORD }
  }
  const shape = path ? undefined : inferShape(program, object)
  if (!shape) return null
  const options = membersOf(shape).map((each) => ({
    ...memberOption(each),
    apply: inPlace(from, access(each.name)),
  }))
  return options.length === 0 ? null : { from: start, options, validFor: WORD }
}

function toolOption(tool: ProgramTool, dot: number): Completion {
  const takes = membersOf(tool.input).length > 0
  return {
    label: tool.name,
    type: 'function',
    detail: takes ? '(…)' : '()',
    info: () => toolCard(tool),
    apply: (view, _, __, to) => {
      // The arguments are asked for at once, unless a call is written already.
      const isCalled = view.state.doc.sliceString(to, to + 1) === '('
      const name = access(tool.name)
      const call = isCalled ? '' : takes ? '({  })' : '()'
      const cursor = dot + name.length + (isCalled ? 0 : takes ? 3 : 2)
      replace(view, dot, to, name + call, cursor)
      if (takes && !isCalled) startCompletion(view)
    },
  }
}

/** Names of arguments in an object literal, or of fields in a pattern. */
function completeKeys(program: Program, node: SyntaxNode, pos: number): CompletionResult | null {
  const isKey = /^(PropertyDefinition|PropertyName|VariableDefinition)$/.test(node.name)
  const holder = isKey ? node.parent?.parent : node
  if (holder?.name === 'ObjectPattern') {
    const shape = shapeOfPattern(program, holder)
    const options = shape && membersOf(shape).filter(isNew).map(memberOption)
    return options ? { from: isKey ? node.from : pos, options, validFor: WORD } : null
  }
  if (holder?.name !== 'ObjectExpression') return null
  if (!isKey && !/[{,]\s*$/.test(program.slice(holder.from, pos))) return null
  const shape = shapeOfLiteral(program, holder)
  if (!shape) return null
  const options = membersOf(shape)
    .filter(isNew)
    .map((member): Completion => {
      const values = literalsOf(member.shape)
      const [only] = values
      return {
        ...memberOption(member),
        boost: member.isRequired ? 1 : 0,
        apply: (view, _, from, to) => {
          const isText = typeOf(member.shape) === 'string' && values.length === 0
          const inside = values.length === 1 && only !== undefined ? only : isText ? "''" : ''
          const text = `${property(member.name)}: ${inside}`
          replace(view, from, to, text, from + text.length - (isText ? 1 : 0))
          if (values.length > 1) startCompletion(view)
        },
      }
    })
  return { from: isKey ? node.from : pos, options, validFor: WORD }

  function isNew({ name }: Member): boolean {
    for (let each = holder?.firstChild ?? null; each; each = each.nextSibling) {
      const key = each.firstChild
      if (key && key.from !== node.from && keyText(program, key) === name) return false
    }
    return true
  }
}

/** Values of an argument: `{ mode: … }`. */
function completeValue(program: Program, node: SyntaxNode, pos: number): CompletionResult | null {
  const isIn =
    node.name === 'String' || node.name === 'VariableName' || node.name === 'BooleanLiteral'
  const holder = isIn ? node.parent : node.name === ':' || node.name === '⚠' ? node.parent : node
  if (holder?.name !== 'Property') return null
  const colon = holder.getChild(':')
  const literal = holder.parent
  const key = holder.firstChild
  if (!colon || !literal || !key || colon.to > pos) return null
  const shape = shapeOfLiteral(program, literal)
  const member = shape && membersOf(shape).find(({ name }) => name === keyText(program, key))
  const values = member ? literalsOf(member.shape) : []
  if (values.length === 0) return null
  const from = isIn ? node.from : pos
  const gap = !isIn && colon.to === pos ? ' ' : ''
  const options = values.map((value) => ({ label: value, type: 'enum', apply: gap + value }))
  return { from, options, validFor: /^['"]?[^'",}\n]*['"]?$/ }
}

function memberOption({ name, shape, isRequired }: Member): Completion {
  const about = descriptionOf(shape)
  return {
    label: name,
    type: 'property',
    detail: `${isRequired ? '' : '?'}: ${typeOf(shape)}`.slice(0, 60),
    ...(about !== '' && { info: about.slice(0, 500) }),
  }
}

/** Replaces the dot too: the name may need brackets. */
function inPlace(dot: number, text: string) {
  return (view: EditorView, _: Completion, __: number, to: number) =>
    replace(view, dot, to, text, dot + text.length)
}

function replace(view: EditorView, from: number, to: number, insert: string, cursor: number): void {
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: cursor },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
}
