/** In place of the conversion where a component has no Zod that needs it: see `imports` in package.json. */
import { absent } from '../absent.ts'

export const zodToJsonSchema = absent('zod')
