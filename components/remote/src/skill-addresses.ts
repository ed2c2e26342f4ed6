/**
 * The addresses of skills of several servers. Each has the name of its server in front, also if no other server has it:
 * otherwise the text of one server could stand in for a skill of another one, or of this application.
 */

/** Where the folder of a skill is published, and its own address at the server. Both without a slash at the end. */
export interface SkillPlace {
  published: string
  server: string
  own: string
}

const SKILL = 'skill://'
/** Not a path on another way than it is written. */
const ODD_PATH = /[\0-\x20\x7f\\?#]|\/\/|\/$|%(?:00|2e|2f|5c)|\/\.{1,2}(?:\/|$)/i
const PLAIN_ADDRESS = /^([a-z][a-z\d+.-]*):\/\/(.+)$/

/** Whether an address is written as clients write it when they have read it. */
export function isPlainAddress(uri: string): boolean {
  const [, , rest = ''] = PLAIN_ADDRESS.exec(uri) ?? []
  return rest !== '' && !ODD_PATH.test(rest) && URL.canParse(uri) && new URL(uri).href === uri
}

/**
 * Where a folder of a server is published.
 *
 * @param own a plain address; one with another scheme than `skill:` has it as a folder, which no plain address begins with.
 */
export function publishedFolder(server: string, own: string): string {
  const [, scheme = '', rest = ''] = PLAIN_ADDRESS.exec(own) ?? []
  return `${SKILL}${server}/${scheme === 'skill' ? '' : `${scheme}:/`}${rest}`
}

/** The address of any file of the skills of a server. A client knows the files of each from its entry. */
export function filesTemplate(server: string): string {
  return `${SKILL}${server}/{+file}`
}

/** Whether an address has the name of a server with skills in front: it leads to its skills, and nowhere else. */
export function isOfSkills(skills: readonly Pick<SkillPlace, 'server'>[], uri: string): boolean {
  const plain = uri.toLowerCase()
  return skills.some(({ server }) => `${plain}/`.startsWith(`${SKILL}${server.toLowerCase()}/`))
}

/** For many addresses of one server: whether each is a file of a skill of it. */
export function skillFilesOf(
  skills: readonly SkillPlace[],
  server: string,
): (uri: string) => boolean {
  const folders = new Set(skills.flatMap((each) => (each.server === server ? each.own : [])))
  return (uri) => {
    if (folders.size === 0) return false
    for (let at = uri.lastIndexOf('/'); at > 0; at = uri.lastIndexOf('/', at - 1)) {
      if (folders.has(uri.slice(0, at))) return true
    }
    return false
  }
}

/** Where a published address of a file leads. */
export function skillFileAt(
  skills: readonly SkillPlace[],
  uri: string,
): { server: string; uri: string } | undefined {
  for (const { published, server, own } of skills) {
    if (!uri.startsWith(`${published}/`)) continue
    const file = uri.slice(published.length)
    return ODD_PATH.test(file) ? undefined : { server, uri: own + file }
  }
  return undefined
}

/** The published address of a server's file. @returns `undefined` for what is in no skill */
export function skillFileOf(
  skills: readonly SkillPlace[],
  server: string,
  uri: string,
): string | undefined {
  const skill = skills.find((each) => each.server === server && uri.startsWith(`${each.own}/`))
  return skill && skill.published + uri.slice(skill.own.length)
}
