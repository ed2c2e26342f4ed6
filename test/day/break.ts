/** Breaks the application of the quick start in every way, while `ftl dev` serves it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Breakage, BREAKAGES, MAIN } from './breakages.ts'
import type { Guide } from './guide.ts'

const CALL = 'npx ftl call greet name=Ada'

export async function playBreakages(guide: Guide, only?: RegExp): Promise<void> {
  const { transcript } = guide
  transcript.heading('WHAT AN AUTHOR BREAKS, while npm run dev serves')
  for (const breakage of BREAKAGES) {
    if (only && !only.test(breakage.name)) continue
    transcript.write(`\n── ${breakage.name}`)
    try {
      await play(guide, breakage)
    } catch (error) {
      guide.served?.news()
      transcript.check(`${breakage.name}: ${String(error)}`, false)
    }
  }
  await guide.stop()
  transcript.write('\n── nothing is served')
  // An application of another program that listens on the default port would answer.
  if (!guide.hasDefaultPort)
    return transcript.act('(left out: another program listens on port 3000)')
  const { output } = await guide.terminal.type(CALL)
  transcript.check(
    'it says how to start the application',
    /npm run dev|ftl dev|ftl start/.test(output),
  )
}

async function play(guide: Guide, breakage: Breakage): Promise<void> {
  const { name, edit, dev, until, call, says, logged, remedy } = breakage
  const { terminal, transcript } = guide
  const file = join(terminal.folder, edit?.file ?? MAIN)
  const whole = await readFile(file, 'utf8')
  const settled = async (text: string | RegExp) => {
    await guide.served?.says(text)
    return guide.served?.news() ?? ''
  }
  try {
    if (edit) {
      const after = edit.change(whole)
      if (after === whole) throw new Error('the edit changes nothing')
      await writeFile(file, after)
      transcript.act(`saves ${edit.file ?? MAIN}`)
      const news = await settled(until ?? 'serving the change')
      if (dev) transcript.check(`${name}: the terminal says ${String(dev)}`, dev.test(news))
    }
    if (says) {
      const { output } = await terminal.type(call ?? CALL)
      transcript.check(`${name}: the call says ${String(says)}`, says.test(output))
    }
    if (logged) {
      const news = await settled(logged)
      transcript.check(`${name}: the terminal says ${String(logged)}`, logged.test(news))
    }
    if (remedy) {
      await terminal.type(remedy)
      await settled('serving the change')
    }
  } finally {
    if (edit) {
      await writeFile(file, whole)
      transcript.act('undoes it')
      await settled(until === undefined ? 'serving the change' : /serving the change|stays in use/)
    }
  }
}
