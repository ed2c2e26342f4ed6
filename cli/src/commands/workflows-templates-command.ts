import { basename, join } from 'node:path'
import { Command } from 'commander'
import { CommandFailure } from '../terminal/failure.ts'
import { visible } from '../terminal/visible-text.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'
import { readServer, type ServerFlags, serverOption } from './workflows-classes.ts'
import { WORKFLOWS_FOLDER, workflowsFolder } from './workflows-folder.ts'
import {
  type Lacks,
  lacksOf,
  listTemplates,
  openTemplates,
  saveTemplate,
  searchTemplates,
  type Template,
} from './workflows-templates.ts'

interface Flags extends ServerFlags {
  folder?: string
  limit: string
  save?: string | true
  json?: boolean
}

/** Characters of a description. */
const MAX_DESCRIPTION = 160

const EXAMPLES = `
Examples:
  ftl workflows templates flux --comfyui http://gpu:8188
  ftl workflows templates image_z_image_turbo --comfyui http://gpu:8188 --save
  ftl workflows init image_z_image_turbo.json --comfyui http://gpu:8188`

export function templatesCommand(): Command {
  return new Command('templates')
    .description('Find templates by words, and say what the server lacks for them')
    .argument(
      '[search...]',
      'words in the name, the title, the description, the models or the tags',
    )
    .option('--comfyui <url>', 'the server whose templates are searched')
    .option('--folder <path>', 'search this folder instead, which has index.json and the templates')
    .option('--object-info <file>', 'what a server has, from a file: `GET /object_info`')
    .option('--limit <number>', 'list at most so many', '10')
    .option(
      '--save [folder]',
      'save the one that is found (in components/workflows/workflows or tools/workflows/workflows)',
    )
    .option('--json', 'print the list as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (words: string[], flags: Flags) => {
      const limit = Number(flags.limit)
      if (!Number.isInteger(limit) || limit < 1) {
        throw new CommandFailure('--limit must be a whole number from 1')
      }
      const open = openTemplates(flags)
      const found = searchTemplates(await listTemplates(open), words)
      if (found.length === 0) throw new CommandFailure('no template has all of these words')
      const server = await readServer(flags)
      const listed = await Promise.all(
        found.slice(0, limit).map(async (template) => ({
          ...template,
          lacks: server && (await lacksOf(template, open, server)),
        })),
      )
      if (flags.json) lineJson({ total: found.length, templates: listed }, 2)
      else {
        for (const template of listed) show(template)
        if (found.length > limit) {
          line(paint('dim', `${found.length - limit} more; add words, or --limit ${found.length}`))
        }
      }
      if (flags.save !== undefined) await save(found, words, open, flags.save, flags)
    })
}

async function save(
  found: readonly Template[],
  words: readonly string[],
  open: ReturnType<typeof openTemplates>,
  folder: string | true,
  flags: ServerFlags,
): Promise<void> {
  const named = found.find(({ name }) => words.length === 1 && name === words[0])
  const [only, ...others] = named ? [named] : found
  if (!only || others.length > 0) {
    throw new CommandFailure(`${found.length} templates are found; write the whole name of one`)
  }
  const path = await saveTemplate(
    only,
    open,
    folder === true ? join(workflowsFolder() ?? WORKFLOWS_FOLDER, 'workflows') : folder,
  )
  const file = folder === true ? basename(path) : path
  line(`${path}: saved; make a tool of it with "ftl workflows init ${file} ${serverOption(flags)}"`)
}

function show({
  name,
  title,
  description,
  media,
  lacks,
}: Template & { lacks?: Lacks | undefined }): void {
  line(`${paint('bold', name)} (${visible(media)}) ${visible(title)}`)
  if (description !== '') line(`  ${visible(description.slice(0, MAX_DESCRIPTION))}`)
  if (!lacks) return
  const nodes = lacks.nodes.map((type) => `node ${visible(type)}`)
  const models = lacks.models.map(
    ({ name: file, directory }) => `model ${visible(directory ? `${directory}/${file}` : file)}`,
  )
  const all = [...nodes, ...models]
  line(paint('dim', all.length === 0 ? '  the server has all of it' : `  lacks ${all.join(', ')}`))
}
