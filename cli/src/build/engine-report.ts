/** What our engine prints when a bundle cannot be evaluated, in the form `explainFailure` reads. */

/** One error as the engine reports it: name and message, then its frames, those of the bundle in `bundle.js`. */
interface Reported {
  error: string
  stack: string
}

type Report = Reported & { causes?: Reported[] }

/**
 * The place before the words, then the places that led to it, one a line; each cause likewise.
 *
 * @param printed on standard error. What the module logged is there, too, before the report.
 * @param id names the bundle in the places.
 */
export function readReport(printed: string, id: string): string {
  const lines = printed.split('\n')
  const report = lines.map(parseReport).findLast((found) => found !== undefined)
  if (!report) return printed
  const causes = (report.causes ?? []).map(({ error, stack }) => ({
    error: `caused by ${error}`,
    stack,
  }))
  return [report, ...causes].flatMap((each) => placed(each, id)).join('\n')
}

function placed({ error, stack }: Reported, id: string): string[] {
  const [first, ...others] = [...stack.matchAll(/\bbundle\.js(:\d+:\d+)\)?$/gm)].map(
    ([, place = '']) => `${id}.js${place}`,
  )
  return [first === undefined ? error : `${first} ${error}`, ...others]
}

// A module may log JSON with the same first key.
function parseReport(line: string): Report | undefined {
  if (!line.startsWith('{"error":')) return undefined
  try {
    const report = JSON.parse(line) as Partial<Report>
    const { error, stack, causes } = report
    return typeof error === 'string' && typeof stack === 'string' && Array.isArray(causes)
      ? { error, stack, causes }
      : undefined
  } catch {
    return undefined
  }
}
