/** `ftl add web`: adds a part that comes with ftl, and says what to do next. */
import { relative } from 'node:path'
import { findManifest, NewFailure, type Part } from 'create-ftl-tool'
import { addPart } from '../new/add-part.ts'
import { readRecords } from '../running/record.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { line } from '../terminal/ui.ts'

/** What to type, by part, after the application is served. */
const NEXT: Readonly<Record<string, string>> = {
  web: 'Open http://127.0.0.1:3000/ in a browser.',
  chat: 'With Ollama on this machine nothing else is needed. Without a model: npx ftl start --demo-model',
  comfyui:
    'Without a ComfyUI of your own, a simulator starts. COMFYUI_URL=http://gpu:8188 names yours.',
  remote:
    'Run "npx ftl bridge-stdio --config .mcp.json" with your file of MCP servers: it says how to start the application with them.',
  auth: 'Run "npx ftl auth init https://gateway.example" with the address of your server: it makes a user and the settings.',
  code: 'Clients get the tool run_code. Who may call it: docs/authorization.md.',
}

/**
 * @param from folder of the application, or a file in it.
 * @param isStep whether the command goes on by itself, and says what is next.
 * @throws {CommandFailure} and has then written nothing.
 */
export function addPartCommand(part: Part, from: string, isStep = false): void {
  const manifest = findManifest(from)
  if (manifest === undefined)
    throw new CommandFailure(`there is no spin.toml in ${from}: go to the application's folder`)
  try {
    const { lines, files, kept } = addPart(manifest, part)
    const shown = lines.map((each) => (each === '' ? '' : `  ${each}`))
    line(
      `Added ${part.title} to ${relative(process.cwd(), manifest) || manifest}:\n${shown.join('\n')}`,
    )
    if (files.length > 0) line(`\nWrote:\n${files.map((file) => `  ${file}`).join('\n')}`)
    if (kept.length > 0) line(`\nIts settings were there already, and stay: ${kept.join(', ')}`)
    if (isStep) return
    const isServed = readRecords(manifest.replace(/[^/\\]*$/, '')).some(
      ({ development }) => development,
    )
    line(`\nNext:\n${isServed ? '' : '  npm run dev\n'}  ${NEXT[part.id]}\n  More: ${part.page}`)
  } catch (error) {
    if (error instanceof NewFailure) throw new CommandFailure(error.message)
    throw error
  }
}
