/** Whether what a printed line serves is of use: it answers, and has what the line configures. */
import type { Guide } from '../../day/guide.ts'

interface Health {
  components: { problems?: string[] }[]
}

export async function checkServed(line: string, origin: string, guide: Guide): Promise<void> {
  if (/ftl bridge/.test(line)) return
  const { transcript } = guide
  const health = await read(`${origin}/health`)
  transcript.check(`GET /health says ok: ${health}`, health.includes('"status":"ok"'))
  if (/COMFYUI_/.test(line)) {
    const { components } = JSON.parse(await read(`${origin}/health/components`)) as Health
    const problems = components.flatMap(({ problems: own = [] }) => own)
    transcript.check(`ComfyUI has no problem: ${problems.join('\n')}`, problems.length === 0)
  }
  if (/llm_url|--demo-model/.test(line)) {
    const chat = await read(`${origin}/api/chat`)
    transcript.check(`the chat has a model: ${chat}`, chat.includes('"configured":true'))
  }
}

const read = async (url: string): Promise<string> => (await fetch(url)).text()
