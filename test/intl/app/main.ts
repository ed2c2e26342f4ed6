import { errorResults, formatResults } from './formats.ts'
import { libraryResults } from './libraries.ts'

export default {
  fetch: () =>
    Response.json({
      libraries: libraryResults(),
      formats: formatResults(),
      errors: errorResults(),
    }),
}
