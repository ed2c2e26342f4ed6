/** The JSON Schema of each configuration file, for editors: `config/*.schema.json` are written from here. */
import * as z from 'zod'
import { CONFIG_FILES, type ConfigFile } from '../config-schema.ts'

/** The text of `config/{name}.schema.json`. */
export function configSchema(file: ConfigFile): string {
  const { key, entry } = CONFIG_FILES[file]
  const whole = z.strictObject({ $schema: z.string().optional(), [key]: z.array(entry) })
  const schema = z.toJSONSchema(whole, { target: 'draft-2020-12', io: 'input' })
  return `${JSON.stringify(schema, null, 2)}\n`
}

/** `styles.json` → `styles.schema.json`. */
export function schemaName(file: ConfigFile): string {
  return file.replace(/\.json$/, '.schema.json')
}
