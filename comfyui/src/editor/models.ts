/** The model files that the author of a workflow names, with where they can be had. */
import { asObject } from 'ftl-contract'
import { asList, asText } from '../client/narrow.ts'
import { isEditorFormat } from './format.ts'

export interface EditorModel {
  name: string
  /** In ComfyUI's folder of models. */
  directory?: string
  url?: string
}

/** @returns each file once. */
export function editorModels(value: unknown): EditorModel[] {
  if (!isEditorFormat(value)) return []
  const subgraphs = asList(asObject(value.definitions).subgraphs).map(asObject)
  const nodes = [value, ...subgraphs].flatMap((graph) => asList(graph.nodes).map(asObject))
  const all = nodes.flatMap(({ properties }) => asList(asObject(properties).models))
  const models = all.flatMap((each) => {
    const { name, directory, url } = asObject(each)
    const [file, folder, address] = [name, directory, url].map(asText)
    if (file === undefined) return []
    return [
      {
        name: file,
        ...(folder !== undefined && { directory: folder }),
        ...(address !== undefined && { url: address }),
      },
    ]
  })
  return [...new Map(models.map((model) => [model.name, model])).values()]
}
