/** Files of a reader who makes tools of workflows: an export, and the templates that a ComfyUI server offers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../../support/command.ts'

/** A workflow of nodes that the simulator has, as ComfyUI exports it. */
export const EXPORT = readFileSync(
  join(REPOSITORY, 'components/workflows/workflows/example.json'),
  'utf8',
)

const INDEX = [
  {
    title: 'Image',
    templates: [
      { name: 'image_z_image_turbo', title: 'Z-Image: text to image', mediaType: 'image' },
      { name: 'image_portrait', title: 'A portrait', mediaType: 'image' },
    ],
  },
]

/** As the editor saves it: values without names, and links in a list of their own. */
const TEMPLATE = {
  nodes: [
    { id: 1, type: 'EmptyImage', widgets_values: [64, 32, 1, 255], outputs: [{ type: 'IMAGE' }] },
    { id: 2, type: 'SaveImage', inputs: [{ name: 'images', link: 1 }], widgets_values: ['x'] },
  ],
  links: [[1, 1, 0, 2, 0, 'IMAGE']],
}

/** @returns the answer to a path below `/templates/`, if there is such a file. */
export function templateFile(path: string): object | undefined {
  if (path === '/templates/index.json') return INDEX
  const names = INDEX.flatMap(({ templates }) => templates.map(({ name }) => name))
  return names.some((name) => path === `/templates/${name}.json`) ? TEMPLATE : undefined
}
