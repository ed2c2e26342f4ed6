/** From the skills of several servers to one list, in which each address leads to one. */
import {
  type RelayedSkill,
  type ResourceDescription,
  type ResourceTemplateDescription,
  SKILL_FILE,
} from 'ftl-contract'
import type { RemoteServer } from './servers.ts'
import { filesTemplate, publishedFolder, type SkillPlace } from './skill-addresses.ts'
import type { KeptList } from './store.ts'
import { folderOf } from './usable-skills.ts'

export interface PublishedSkills {
  skills: RelayedSkill[]
  /** Their `SKILL.md`. */
  resources: ResourceDescription[]
  resourceTemplates: ResourceTemplateDescription[]
  places: SkillPlace[]
}

/** A skill of which an operator denies a file is not published: it would not be whole. */
export function publishSkills(
  servers: readonly RemoteServer[],
  lists: ReadonlyMap<string, KeptList>,
): PublishedSkills {
  const published: PublishedSkills = {
    skills: [],
    resources: [],
    resourceTemplates: [],
    places: [],
  }
  for (const { name: server, denied } of servers) {
    const before = published.skills.length
    for (const { uri, frontmatter, files } of lists.get(server)?.skills ?? []) {
      const own = folderOf(uri)
      const uris = files === 'dynamic' ? [uri] : files.map((file) => file.uri)
      if (uris.some((each) => denied.includes(each)) || denied.includes(uri)) continue
      const folder = publishedFolder(server, own)
      const address = `${folder}/${SKILL_FILE}`
      const moved = (each: string) => folder + each.slice(own.length)
      published.places.push({ published: folder, server, own })
      published.skills.push({
        uri: address,
        frontmatter,
        files:
          files === 'dynamic' ? files : files.map((file) => ({ ...file, uri: moved(file.uri) })),
      })
      const { name, description } = frontmatter
      published.resources.push({ uri: address, name, description, mimeType: 'text/markdown' })
    }
    if (published.skills.length === before) continue
    published.resourceTemplates.push({
      uriTemplate: filesTemplate(server),
      name: `Files of skills of ${server}`,
      description: `The files of the skills of the server "${server}".`,
    })
  }
  return published
}
