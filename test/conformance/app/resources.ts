import type { ResourceDescription, ResourceResult, ResourceTemplateDescription } from 'ftl-contract'
import { PNG } from './samples.ts'

export const RESOURCES: ResourceDescription[] = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that never changes',
    mimeType: 'text/plain',
  },
  {
    uri: 'test://static-binary',
    name: 'Static image',
    description: 'An image that never changes',
    mimeType: 'image/png',
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched text',
    description: 'A text clients may subscribe to',
    mimeType: 'text/plain',
  },
]

export const RESOURCE_TEMPLATES: ResourceTemplateDescription[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'Data by id',
    description: 'The data of one id',
    mimeType: 'application/json',
  },
]

type Contents = ResourceResult['contents'][number]

/** Undefined when there is no such resource. */
export function readResource(uri: string): ResourceResult | undefined {
  const found = contents(uri)
  return found && { contents: [{ uri, ...found }] }
}

function contents(uri: string): Omit<Contents, 'uri'> | undefined {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` }
    return { mimeType: 'application/json', text: JSON.stringify(data) }
  }
  switch (uri) {
    case 'test://static-text':
      return { mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
    case 'test://static-binary':
      return { mimeType: 'image/png', blob: PNG }
    case 'test://watched-resource':
      return { mimeType: 'text/plain', text: 'This is the content of the watched resource.' }
    default:
      return undefined
  }
}
