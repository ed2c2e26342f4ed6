/** What can be done with a picture: more like it, a larger one, or another that starts from it. */
import { callInChat } from '../chat/slash.ts'
import { varied } from '../jobs/call.ts'
import { asRecord } from '../net/api.ts'
import type { Tool } from '../net/tools.ts'
import { choose } from './chosen.ts'
import { imageToolOf, upscaleToolOf } from './image-tool.ts'
import type { Picture } from './pictures.ts'

/** By the words of its button; only what the tools that are there can do. */
export function actionsFor(
  picture: Picture,
  tools: readonly Tool[],
): { words: string; run: () => Promise<void> }[] {
  const again = picture.job && varied(picture.job, tools)
  const tool = picture.job?.tool
  const larger = upscaleToolOf(tools)
  const image = imageToolOf(tools)
  const takesImage = image && 'image' in asRecord(image.inputSchema['properties'])
  return [
    ...(again && tool !== undefined
      ? [{ words: 'Vary', run: () => callInChat(tool, again, `Vary: ${picture.prompt}`) }]
      : []),
    ...(larger
      ? [
          {
            words: 'Upscale',
            run: () =>
              callInChat(larger.name, { image: picture.url }, `Upscale: ${picture.prompt}`),
          },
        ]
      : []),
    ...(takesImage
      ? [
          {
            words: 'Use as input',
            run: () => {
              choose('image', picture.url)
              document.querySelector<HTMLElement>('.composer textarea')?.focus()
              return Promise.resolve()
            },
          },
        ]
      : []),
  ]
}
