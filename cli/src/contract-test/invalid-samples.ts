/** Arguments that violate a tool's schema in one place. */
import { isObject } from 'ftl-contract'
import { compileSchema } from './schemas.ts'

/** @returns `undefined` if the schema accepts every candidate. */
export function invalidSample(schema: unknown, fitting: unknown): unknown {
  const compiled = compileSchema(schema)
  if (compiled.problem !== undefined || !isObject(schema)) return undefined
  const base = isObject(fitting) ? fitting : {}
  const names = Object.keys(isObject(schema.properties) ? schema.properties : {})
  const candidates = [
    ...names.map((name) =>
      Object.fromEntries(Object.entries(base).filter(([key]) => key !== name)),
    ),
    ...names.flatMap((name) => [
      { ...base, [name]: { not: ['this'] } },
      { ...base, [name]: 7 },
    ]),
    { ...base, 'no-such-argument': true },
  ]
  return candidates.find((candidate) => compiled.check(candidate) !== undefined)
}

/** The sample with `text` as its first string; `undefined` if it has no string. */
export function withText(sample: unknown, text: string): Record<string, unknown> | undefined {
  if (!isObject(sample)) return undefined
  const [name] = Object.entries(sample).find(([, value]) => typeof value === 'string') ?? []
  return name === undefined ? undefined : { ...sample, [name]: text }
}
