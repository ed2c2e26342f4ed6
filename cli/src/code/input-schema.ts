/** The schema of a saved program's arguments, as the user gives it. */
import { readFileSync } from 'node:fs'
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'

/** @param given a file, or JSON. @throws {CommandFailure} */
export function readInputSchema(given: string): Record<string, unknown> {
  const text = given.trimStart().startsWith('{') ? given : readFile(given)
  let schema: unknown
  try {
    schema = JSON.parse(text, refuseProto)
  } catch (error) {
    throw new CommandFailure(`--input-schema: ${visible((error as Error).message)}`)
  }
  if (!isObject(schema)) {
    throw new CommandFailure('--input-schema must be a JSON Schema: an object')
  }
  if ((schema as { type?: unknown }).type !== 'object') {
    throw new CommandFailure(
      '--input-schema: "type" must be "object", as tools have named arguments',
    )
  }
  return schema
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CommandFailure(`--input-schema: ${visible(file)} cannot be read`)
  }
}

/** In JavaScript it names no member, but the prototype. */
function refuseProto(this: unknown, key: string, value: unknown): unknown {
  if (key === '__proto__') throw new Error('"__proto__" cannot be the name of a member')
  return value
}
