/** The tool that a place of a program is about: its name, or the arguments of its call. */
import type { SyntaxNode } from '@lezer/common'
import type { ProgramTool } from '../declared/program-tools.ts'
import { type Program, toolOfCall, toolPath } from './infer.ts'

export function toolAt(program: Program, pos: number): ProgramTool | undefined {
  const inner = program.tree.resolveInner(pos, -1)
  for (let node: SyntaxNode | null = inner; node; node = node.parent) {
    const tool = toolOfCall(program, node) ?? toolNamed(program, node)
    if (tool) return tool
  }
  return undefined
}

function toolNamed(program: Program, node: SyntaxNode): ProgramTool | undefined {
  const path = node.name === 'MemberExpression' ? toolPath(program, node) : undefined
  return path?.length === 2 ? program.components.get(path[0] ?? '')?.get(path[1] ?? '') : undefined
}
