/** What the command line of the measurements may say. */
import { parseArgs } from 'node:util'

export interface BenchOptions {
  /** Fewer and shorter rounds: a look, not a result. */
  quick: boolean
  /** Address of another host that serves bench/fixtures/spin.toml. */
  against?: string
  /** Only this section. */
  section?: string
  /** File for the results as JSON. */
  json?: string
  /** File for the results as Markdown. */
  markdown?: string
}

const HELP = `npm run bench -- [options]

  --quick            fewer and shorter rounds
  --section NAME     only this one; may be repeated: SECTIONS
  --against URL      compare with another host that serves bench/fixtures/spin.toml, such as
                     npx ftl build --from bench/fixtures
                     spin up --from bench/fixtures
  --json FILE        write the results as JSON
  --markdown FILE    write the results as Markdown`

/** @param sections the names there are. */
export function readOptions(
  sections: readonly string[],
): BenchOptions & { sections: readonly string[] } {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      section: { type: 'string', multiple: true, default: [] },
      against: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const unknown = values.section.find((name) => !sections.includes(name))
  if (values.help || unknown !== undefined) {
    if (unknown !== undefined) console.error(`there is no section "${unknown}"\n`)
    console.log(HELP.replace('SECTIONS', sections.join(', ')))
    process.exit(unknown === undefined ? 0 : 1)
  }
  const { quick, json, markdown } = values
  return {
    quick,
    against: values.against?.replace(/\/+$/, ''),
    json,
    markdown,
    sections: values.section.length > 0 ? values.section : sections,
  }
}
