/** What checks of sources need to know of the syntax tree. */
import type { Node } from 'oxc-parser'

/** Their bodies run when they are called, and not while the module is evaluated. */
export const FUNCTIONS: readonly string[] = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]

export function isInstanceField(node: Node): boolean {
  return node.type === 'PropertyDefinition' && !node.static
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Expressions of TypeScript that have a value. */
const WITH_VALUE = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']

/** The node, unless it is a type, which is gone when the module runs. */
export function valueOf(node: Node): Node | undefined {
  return node.type.startsWith('TS') && !WITH_VALUE.includes(node.type) ? undefined : node
}
