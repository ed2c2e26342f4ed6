import { join } from 'node:path'
import { REPOSITORY } from '../support/command.ts'

/** Programs that were fetched or built once. */
export const CACHE = process.env['FTL_TEST_PROVIDERS'] ?? join(REPOSITORY, '.ftl', 'providers')
