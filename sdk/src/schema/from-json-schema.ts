/**
 * The TypeScript type of what a JSON Schema literal describes.
 *
 * A useful subset: `type` (one or several), `properties`, `required`, `enum`, `const`, `items`, `prefixItems`, `anyOf`,
 * `oneOf`, `additionalProperties`. Whatever else decides about a value is `unknown`, never a guess.
 */

/** @example FromJsonSchema<{ type: 'array'; items: { type: 'string' } }> // string[] */
export type FromJsonSchema<S> = S extends { $ref: unknown } | { allOf: unknown } | { if: unknown }
  ? unknown
  : S extends { const: infer Only }
    ? Only
    : S extends { enum: readonly (infer One)[] }
      ? One
      : S extends { anyOf: readonly (infer Form)[] } | { oneOf: readonly (infer Form)[] }
        ? FromJsonSchema<Form>
        : S extends { type: readonly (infer Name)[] }
          ? OfType<Name, S>
          : S extends { type: infer Name }
            ? OfType<Name, S>
            : unknown

/** Arguments are an object: what the schema leaves open is an open record. */
export type ObjectFromJsonSchema<S> =
  unknown extends FromJsonSchema<S> ? Record<string, unknown> : FromJsonSchema<S>

// Distributes over several names; a schema that was not written as a literal has the name `string`, which says nothing.
type OfType<Name, S> = string extends Name
  ? unknown
  : Name extends 'string'
    ? string
    : Name extends 'number' | 'integer'
      ? number
      : Name extends 'boolean'
        ? boolean
        : Name extends 'null'
          ? null
          : Name extends 'array'
            ? OfArray<S>
            : Name extends 'object'
              ? OfObject<S>
              : unknown

type OfArray<S> = S extends { prefixItems: readonly unknown[] }
  ? unknown[]
  : S extends { items: infer Item }
    ? FromJsonSchema<Item>[]
    : unknown[]

type OfObject<S> = S extends { properties: infer P }
  ? Flat<
      {
        -readonly [K in keyof P as K extends RequiredIn<S> ? K : never]: FromJsonSchema<P[K]>
      } & {
        -readonly [K in keyof P as K extends RequiredIn<S> ? never : K]?: FromJsonSchema<P[K]>
      }
    >
  : S extends { additionalProperties: infer Rest }
    ? Record<string, Rest extends boolean ? unknown : FromJsonSchema<Rest>>
    : Record<string, unknown>

type RequiredIn<S> = S extends { required: readonly (infer Name)[] } ? Name : never

type Flat<T> = { [K in keyof T]: T[K] }
