/**
 * Finds names and patterns in the arguments of tools that agent frameworks lose, or that make their whole list of tools
 * fail, and what makes a provider of models refuse each request with the tool. It reads what is written in the call of `createTool`, and the constants of the same file that it names.
 *
 * @see docs/clients.md, "Agent frameworks"
 */
import type { Node } from 'oxc-parser'

export interface Lost {
  at: number
  length: number
  message: string
}

/** Not every author knows these names. */
const FRAMEWORKS = 'agent frameworks: docs/clients.md#agent-frameworks'

const PROPERTIES: readonly [name: RegExp, where: string][] = [
  [/^_/, 'llama-index, crewAI, autogen and mcp-use cannot load a list with such a property'],
  [/^\$/, 'semantic-kernel cannot load a list with such a property'],
  [
    /^model_config$/,
    'llama-index, autogen and mcp-use cannot load a list with it, and crewAI loses it',
  ],
  [/^(from|class)$/, 'mcp-use leaves it out of what the model sees'],
  [
    /^self$/,
    'LangChain, smolagents, llama-index, crewAI, semantic-kernel and mcp-use fail in the call',
  ],
]

const LOOK_AHEAD = /\(\?<?[=!]/
const PATTERN =
  'a pattern that looks ahead or behind: crewAI and autogen cannot load a list with it, and llama-index and mcp-use lose it'

/** With the prefix that some clients put in front, 64 characters are the most that OpenAI accepts. */
const TOOL_NAME = /^[A-Za-z_][\w-]{0,55}$/
/** What `createTool` accepts; the build refuses the others. */
const ACCEPTED = /^[\w.-]+$/
const NAME =
  'OpenAI and Claude Desktop refuse each request with a dot in a name, and Gemini one with a digit or "-" first, and with it ' +
  'all tools; a longer name with the prefix of a client exceeds 64 characters. Use at most 56 letters, digits, "_" and "-"'

/** Of arguments, which Anthropic takes. */
const ARGUMENT = /^[\w.-]{1,64}$/
const NOT_AN_ARGUMENT =
  'Anthropic refuses each request with such a tool, and with it all tools. Use at most 64 letters, digits, "_", "." and "-"'

/** At the top of a schema. */
const FORMS = /^(anyOf|oneOf|allOf)$/
const FORM =
  'Anthropic and OpenAI refuse each request with such a tool, and with it all tools. Write all arguments as "properties", ' +
  'and check in the handler which belong together'

/** @param childrenOf the nodes below a node. */
export function lostNames(program: Node, childrenOf: (node: Node) => Node[]): Lost[] {
  const lost: Lost[] = []
  const constants = new Map<string, Node>()
  const read = new Set<Node>()
  const add = ({ start, end }: Node, message: string) =>
    lost.push({ at: start, length: end - start, message })

  function readSchema(node: Node): void {
    if (read.has(node)) return
    read.add(node)
    if (node.type === 'Identifier') {
      const meant = constants.get(node.name)
      if (meant) readSchema(meant)
      return
    }
    const map = propertiesIn(node)
    for (const property of map ?? []) {
      const name = keyOf(property)
      const [, where] = PROPERTIES.find(([words]) => name !== undefined && words.test(name)) ?? []
      if (where !== undefined)
        add(property, `the property "${name}": ${where}. Rename it (${FRAMEWORKS}).`)
    }
    const pattern = patternIn(node)
    if (pattern !== undefined && LOOK_AHEAD.test(pattern))
      add(node, `${PATTERN}. Write it without (${FRAMEWORKS}).`)
    for (const child of childrenOf(node)) readSchema(child)
  }

  function readTop(node: Node): void {
    const top = node.type === 'Identifier' ? (constants.get(node.name) ?? node) : node
    const shape = memberOf(top, 'properties')
    const members = top.type === 'ObjectExpression' ? top.properties : []
    for (const member of members) {
      const key = keyOf(member)
      if (key !== undefined && FORMS.test(key)) add(member, `"${key}" at the top: ${FORM}.`)
    }
    const named = shape?.type === 'ObjectExpression' ? shape.properties : propertiesIn(top)
    for (const property of named ?? []) {
      const name = keyOf(property)
      if (name !== undefined && !/^\$/.test(name) && !ARGUMENT.test(name))
        add(property, `the argument "${name}": ${NOT_AN_ARGUMENT}.`)
    }
  }

  function visit(node: Node): void {
    const metadata = metadataIn(node)
    if (metadata) {
      const name = memberOf(metadata, 'name')
      const text = name?.type === 'Literal' ? name.value : undefined
      if (name && typeof text === 'string' && ACCEPTED.test(text) && !TOOL_NAME.test(text)) {
        add(name, `the tool name "${text}": ${NAME} (${FRAMEWORKS}).`)
      }
      const schema = memberOf(metadata, 'inputSchema')
      if (schema) {
        readTop(schema)
        readSchema(schema)
      }
    }
    for (const child of childrenOf(node)) visit(child)
  }

  collect(program, constants, childrenOf)
  visit(program)
  return lost
}

function collect(program: Node, into: Map<string, Node>, childrenOf: (node: Node) => Node[]): void {
  for (const node of childrenOf(program)) {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      into.set(node.id.name, node.init)
    } else if (/^(VariableDeclaration|ExportNamedDeclaration)$/.test(node.type)) {
      collect(node, into, childrenOf)
    }
  }
}

/** The metadata of a call of `createTool`. */
function metadataIn(node: Node): Node | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined
  if (node.callee.name !== 'createTool') return undefined
  const [definition] = node.arguments
  return definition && memberOf(definition, 'metadata')
}

function memberOf(node: Node, name: string): Node | undefined {
  if (node.type !== 'ObjectExpression') return undefined
  const found = node.properties.find((each) => keyOf(each) === name)
  return found?.type === 'Property' ? found.value : undefined
}

function keyOf(property: Node): string | undefined {
  if (property.type !== 'Property' || property.computed) return undefined
  const { key } = property
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : undefined
}

/** Of `z.object({ … })` and other functions of a library, and of `properties` in a JSON Schema. */
function propertiesIn(node: Node): readonly Node[] | undefined {
  if (node.type === 'CallExpression') {
    const { callee } = node
    const name = callee.type === 'MemberExpression' ? callee.property : callee
    const isObject = name.type === 'Identifier' && /object$|^(safeE|e)xtend$/i.test(name.name)
    const [shape] = node.arguments
    return isObject && shape?.type === 'ObjectExpression' ? shape.properties : undefined
  }
  if (node.type !== 'Property' || keyOf(node) !== 'properties') return undefined
  return node.value.type === 'ObjectExpression' ? node.value.properties : undefined
}

function patternIn(node: Node): string | undefined {
  if (node.type === 'Literal' && 'regex' in node) return node.regex.pattern
  if (node.type !== 'Property' || keyOf(node) !== 'pattern') return undefined
  return node.value.type === 'Literal' && typeof node.value.value === 'string'
    ? node.value.value
    : undefined
}
