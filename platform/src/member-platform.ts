/** The platform as one member of a component sees it. */
import type { Answer, Member } from './members.ts'
import { type KeyValue, KeyValueError, type Platform } from './platform.ts'

/** What a host tells every component. The label of its own store is left out: other members can open that store. */
const FROM_HOST = new Set(['host_conditional_writes', 'host_stops', 'dev_build', 'dev_places'])

const INTERNAL = /^https?:\/\/([^/?#:]+)\.spin\.internal(?::\d+)?(?=[/?#]|$)/i

/** As a host says that it has refused a request. */
const refused = () => new TypeError('NetworkError when attempting to fetch resource.')

/** @param members all of the component, by name. */
export function memberPlatform(
  member: Pick<Member, 'name' | 'variables' | 'stores' | 'files' | 'calls'>,
  members: ReadonlyMap<string, Member>,
  platform: Platform,
): Platform {
  const { name, variables, stores, files, calls } = member
  const at = (path: string) => moved(path, files)
  return {
    async openKeyValue(label) {
      if (!stores.includes(label)) throw new KeyValueError('access-denied')
      return ownEntries(await platform.openKeyValue(label), `${name}:`)
    },
    variables: {
      get(variable) {
        if (FROM_HOST.has(variable)) return platform.variables.get(variable)
        const own = Object.hasOwn(variables, variable) ? variables[variable] : undefined
        return own === undefined ? undefined : platform.variables.get(own)
      },
    },
    files: {
      read: async (path) => platform.files.read(at(path)),
      list: async (path) => platform.files.list(at(path)),
      stamp: async (path) => platform.files.stamp(at(path)),
    },
    now: () => platform.now(),
    randomUUID: () => platform.randomUUID(),
    async fetch(input, init) {
      const url = typeof input === 'object' && 'url' in input ? input.url : String(input)
      const callee = members.get(INTERNAL.exec(url)?.[1] ?? '')
      if (!callee) return platform.fetch(input, init)
      if (!calls.includes('*') && !calls.includes(callee.name)) throw refused()
      const { signal, ...rest } = init ?? {}
      const request = new Request(input, rest)
      // As a host says it of a request of a component.
      request.headers.append('spin-client-addr', '0.0.0.0:0')
      return untilAborted(
        answered(callee.answer, request, memberPlatform(callee, members, platform)),
        signal ?? undefined,
      )
    },
    waitUntil: (work) => platform.waitUntil(work),
  }
}

/** An error of the callee is a response of its own, as between components. */
async function answered(answer: Answer, request: Request, platform: Platform): Promise<Response> {
  try {
    return await answer(request, platform)
  } catch (error) {
    console.error(error)
    return new Response(null, { status: 500 })
  }
}

function untilAborted(
  response: Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  if (!signal) return response
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    const end = () => signal.removeEventListener('abort', abort)
    response.then(
      (answer) => (end(), resolve(answer)),
      (error: unknown) => (end(), reject(error as Error)),
    )
  })
}

/** Entries whose keys begin with the member's name, so that members do not overwrite each other's by mistake. */
function ownEntries(store: KeyValue, prefix: string): KeyValue {
  return {
    get: (key) => store.get(prefix + key),
    set: (key, value) => store.set(prefix + key, value),
    ...(store.setIf && {
      setIf: (key, expected, value) =>
        store.setIf?.(prefix + key, expected, value) ?? Promise.resolve(undefined),
    }),
    delete: (key) => store.delete(prefix + key),
    exists: (key) => store.exists(prefix + key),
    async keys() {
      const all = await store.keys()
      return all.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
    },
  }
}

/** The longest folder that the path is in decides. */
function moved(path: string, folders: Readonly<Record<string, string>>): string {
  const folder = Object.keys(folders)
    .filter((each) => path === each || path.startsWith(each.endsWith('/') ? each : `${each}/`))
    .sort((a, b) => b.length - a.length)[0]
  return folder === undefined ? path : `${folders[folder]}${path.slice(folder.length)}`
}
