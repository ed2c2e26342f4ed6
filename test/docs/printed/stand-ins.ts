/** What pages name outside of the application, and what stands for it: the ComfyUI simulator, and a model of a few rules. */
import { once } from 'node:events'
import { createServer, request as forward, type RequestListener } from 'node:http'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startSimulator } from 'ftl-comfyui/simulator'
import { startDemoModel } from '../../../cli/src/demo-model/server.ts'
import { EXPORT, templateFile } from './templates.ts'

export interface StandIns {
  /** What pages print, and what is typed. */
  replaced: readonly (readonly [printed: string, own: string])[]
  close(): Promise<void>
}

/** Lines that ask a server for its templates, of which the simulator has none. */
const ASKS_FOR_TEMPLATES = ['portrait', 'z-image text', 'image_z_image_turbo'].map(
  (words) => `ftl workflows templates ${words} --comfyui `,
)

/** @param folder for the files of the reader. */
export async function startStandIns(folder: string): Promise<StandIns> {
  const comfyui = await startSimulator({ port: 0, renderSeconds: 1 })
  const model = await startDemoModel({ models: ['gpt-5-mini', 'llama-3.3-70b', 'qwen3'] })
  const basic = `Basic ${Buffer.from('USER:PASSWORD').toString('base64')}`
  const behindPath = await startProxy(comfyui.url, '/comfyui', { authorization: basic })
  const behindToken = await startProxy(comfyui.url, '', { authorization: 'Bearer abc' })
  const groq = await startProxy(model.url, '/openai')
  const templates = await startProxy(comfyui.url, '', { templates: true })
  const { host } = new URL(behindPath.url)
  const exported = join(folder, 'portrait.json')
  await writeFile(exported, EXPORT)
  return {
    replaced: [
      ...ASKS_FOR_TEMPLATES.map(
        (line) => [`${line}http://gpu:8188`, `${line}${templates.url}`] as const,
      ),
      ['init ~/Downloads/portrait.json', `init ${exported}`],
      ['init portrait.json', `init ${exported}`],
      ['http://gpu:8188', comfyui.url],
      ['http://USER:PASSWORD@gpu.example/comfyui', `http://USER:PASSWORD@${host}/comfyui`],
      ['https://gpu.example', behindToken.url],
      ['sk-…', 'sk-1'],
      ['https://api.openai.com', model.url],
      ['https://api.groq.com', groq.url],
      ['http://gpu:11434', model.url],
    ],
    close: async () => {
      for (const each of [templates, behindPath, behindToken, groq, model, comfyui])
        await each.close()
    },
  }
}

interface ProxyOptions {
  /** What each request must send. @default nothing */
  authorization?: string
  /** Whether it has templates of its own. @default false */
  templates?: boolean
}

async function startProxy(target: string, path: string, options: ProxyOptions = {}) {
  const { authorization, templates = false } = options
  const pass: RequestListener = (request, response) => {
    const { url = '', method, headers } = request
    if (!url.startsWith(`${path}/`)) return void response.writeHead(404).end()
    if (authorization !== undefined && headers.authorization !== authorization) {
      return void response.writeHead(401).end()
    }
    const template = templates ? templateFile(url) : undefined
    if (template) return void response.end(JSON.stringify(template))
    const { host: _, ...passed } = headers
    const out = forward(`${target}${url.slice(path.length)}`, { method, headers: passed })
    out.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    out.on('error', () => response.destroy())
    request.pipe(out)
  }
  const server = createServer(pass).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
