/** Checks a server.json against the rules of its schema, with the validator that the gateway has. */
import { readFileSync } from 'node:fs'
import type { Schema } from '../../gateway/src/schema/validation-state.ts'
import { validate } from '../../gateway/src/schema/validate.ts'

const rules = JSON.parse(
  readFileSync(new URL('fixtures/server-2025-12-11.rules.json', import.meta.url), 'utf8'),
) as Schema

/** @returns what is wrong. */
export function checkServerJson(value: unknown): string[] {
  return validate(rules, value).map(({ path, message }) => `${path} ${message}`)
}
