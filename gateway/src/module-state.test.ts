// A host may run the gateway and `remote` beside its components, where no fresh instance separates requests. So nothing that a request
// changes may live at module scope. `native.ts` says why.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '../..')

/** What the gateway and `remote` consist of. Of the platform, the part for a host. */
const FILES = [
  'gateway/src',
  'http/src',
  'contract/src',
  'components/remote/src',
  'sdk/src',
  'client/src/auth',
]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  )
  .filter(
    (name) =>
      /\.ts$/.test(name) && !/\.test\.ts$|\/testing\/|\/test-suite\/|\/intl\/|\.d\.ts$/.test(name),
  )
  .concat('platform/src/native.ts', 'platform/src/platform.ts', 'platform/src/parted-entry.ts')

/** Each, and why it says nothing of a request to another one. */
const ALLOWED: Readonly<Record<string, string>> = {
  'gateway/src/search/words.ts: stems': 'a stem depends on its word alone; 4096 are kept',
  'gateway/src/audit/reported-calls.ts: reports': 'by the signal of a request',
  'http/src/address.ts: known': 'by the request',
  'components/remote/src/redact.ts: known': 'by a server of the variable',
  'components/remote/src/exchange/caller-token.ts: tokens': 'by the context of a call',
}

const MUTATING = new Set(
  ['set', 'add', 'delete', 'clear', 'push', 'pop', 'shift', 'unshift', 'splice', 'sort'].concat(
    'reverse',
    'fill',
    'copyWithin',
  ),
)

/** Names of module scope that a function changes, or could because they are variables. */
function changed(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  return changedIn(source).map((name) => `${file}: ${name}`)
}

function changedIn(source: ts.SourceFile): string[] {
  const names = new Set<string>()
  const found = new Set<string>()
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    const isConstant = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0
    for (const { name } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name)) continue
      names.add(name.text)
      if (!isConstant) found.add(name.text)
    }
  }
  const root = (node: ts.Expression): string | undefined => {
    if (ts.isIdentifier(node)) return node.text
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
      return root(node.expression)
    }
    return ts.isNonNullExpression(node) ? root(node.expression) : undefined
  }
  const note = (node: ts.Expression) => {
    const name = root(node)
    if (name !== undefined && names.has(name)) found.add(name)
  }
  const isAssignment = ({ kind }: ts.BinaryOperatorToken) =>
    kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
  const isStep = (operator: ts.PrefixUnaryOperator) =>
    operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken)) note(node.left)
    else if (ts.isDeleteExpression(node)) note(node.expression)
    else if (ts.isPostfixUnaryExpression(node)) note(node.operand)
    else if (ts.isPrefixUnaryExpression(node) && isStep(node.operator)) note(node.operand)
    else if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      MUTATING.has(node.expression.name.text)
    ) {
      note(node.expression.expression)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found]
}

test('no request changes what lives at module scope', () =>
  expect(FILES.flatMap(changed).sort()).toEqual(Object.keys(ALLOWED).sort()))

test.each([
  ['let a = 0', ['a']],
  ['const a = new Map(); export const f = () => a.set(1, 2)', ['a']],
  ['const a: string[] = []; function f() { a.push("") }', ['a']],
  ['const a = { b: 0 }; const f = () => { a.b++ }', ['a']],
  ['const a = { b: [0] }; const f = () => { a.b[0] = 1 }', ['a']],
  ['const a = { b: 0 }; const f = () => { delete a.b }', ['a']],
  ['const a = new Map([[1, 2]]); export const f = () => a.get(1)', []],
  ['const f = () => { let a = 0; a++; return a }', []],
])('%s', (code, expected) =>
  expect(changedIn(ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true))).toEqual(
    expected,
  ),
)
