/** Validates with Ajv, as the official SDKs do. Compiling a schema with Ajv also finds its errors. */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { isObject } from 'ftl-contract'

const validator = new AjvJsonSchemaValidator()

/** @returns the problem of the schema, or a function that returns the problem of a value. */
export function compileSchema(
  schema: unknown,
): { problem: string } | { problem?: undefined; check: (value: unknown) => string | undefined } {
  if (!isObject(schema)) {
    return { problem: 'must be a JSON object' }
  }
  const warn = console.warn
  // Ajv logs formats that it does not know, which JSON Schema allows.
  console.warn = () => undefined
  try {
    const validate = validator.getValidator(schema)
    return {
      check: (value) => {
        const { valid, errorMessage } = validate(value)
        return valid ? undefined : (errorMessage ?? 'does not fit')
      },
    }
  } catch (error) {
    return { problem: `is not valid JSON Schema: ${(error as Error).message}` }
  } finally {
    console.warn = warn
  }
}
