/** Composes the hooks of features once, while the component is built: a request finds lists of functions. */
import type { Feature, Hooks } from './feature.ts'

type Having<K extends keyof Feature> = Feature & Required<Pick<Feature, K>>

/** The features that have this hook: the others cost a request nothing. */
function having<K extends keyof Feature>(features: readonly Feature[], hook: K): Having<K>[] {
  return features.filter((feature): feature is Having<K> => feature[hook] !== undefined)
}

/** What the first feature says that has something to say. */
function first<F, T>(features: readonly F[], ask: (feature: F) => T | undefined): T | undefined {
  for (const feature of features) {
    const answer = ask(feature)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** @param features in the order in which a request meets them. */
export function composed(features: readonly Feature[]): Hooks {
  const open = having(features, 'isOpen')
  const shown = having(features, 'isPublic')
  const handling = having(features, 'handle').reduceRight<Hooks['handle']>(
    (next, feature) => (request, scope, last) =>
      feature.handle(request, scope, () => next(request, scope, last)),
    (_request, _scope, last) => last(),
  )
  // A feature that has no interest costs the chain a function, and no promise.
  const around = having(features, 'around').reduceRight<Hooks['around']>(
    (next, feature) => (client, call, last) =>
      feature.around(client, call, (passed) => next(client, passed, last)) ??
      next(client, call, last),
    (_client, call, last) => last(call),
  )
  const sending = having(features, 'send').reduceRight<Hooks['send']>(
    (next, feature) => (scope, tool, call, last) =>
      feature.send(scope, tool, call, (passed) => next(scope, tool, passed, last)) ??
      next(scope, tool, call, last),
    (_scope, _tool, call, last) => last(call),
  )
  const methods = having(features, 'aroundMethod')
  const answering = having(features, 'answered')
  const listing = having(features, 'toolList')
  const finding = having(features, 'foundTools')
  const extending = having(features, 'extensions')
  const methodical = having(features, 'answerMethod')
  const meaning = having(features, 'callMeant')
  const admitting = having(features, 'admit')
  const grouping = having(features, 'needsGroups')
  const challenging = having(features, 'challenge')
  const checking = having(features, 'checkKey')
  const tools = having(features, 'ownTool')
  const continuing = having(features, 'continues')
  const accepting = having(features, 'accepted')
  const discovering = having(features, 'beforeDiscovery')
  const storing = having(features, 'catalogStored')
  const owning = having(features, 'ownerOf')
  const starting = having(features, 'startsJobs')
  const noting = having(features, 'noted')
  return {
    rehearse: () => {
      for (const feature of having(features, 'rehearse')) feature.rehearse()
    },
    isOpen: (pathname) => {
      for (const feature of open) if (feature.isOpen(pathname)) return true
      return false
    },
    isPublic: (pathname) => shown.some((feature) => feature.isPublic(pathname)),
    handle: handling,
    view: (repository) =>
      having(features, 'view').reduce((seen, feature) => feature.view(seen), repository),
    answered: (request, scope, response) => {
      for (const feature of answering) feature.answered(request, scope, response)
    },
    around,
    aroundMethod: (client, call, run) => {
      for (const feature of methods) {
        const reply = feature.aroundMethod(client, call, run)
        if (reply !== undefined) return reply
      }
      return run()
    },
    toolList: (gateway, scope, request, fallback) =>
      first(listing, (feature) => feature.toolList(gateway, scope, request, fallback)),
    foundTools: (gateway, scope, parameters, form) =>
      first(finding, (feature) => feature.foundTools(gateway, scope, parameters, form)),
    extensions: (catalog) => first(extending, (feature) => feature.extensions(catalog)),
    answerMethod: (gateway, scope, call) =>
      first(methodical, (feature) => feature.answerMethod(gateway, scope, call)),
    finder: first(features, ({ finder }) => finder),
    callMeant: (client, call) =>
      meaning.reduce((meant, feature) => feature.callMeant(client, meant), call),
    admit: (scope, request, caller) =>
      first(admitting, (feature) => feature.admit(scope, request, caller)),
    needsGroups: (scope) => grouping.some((feature) => feature.needsGroups(scope)),
    challenge: (request, scope, scopes) =>
      first(challenging, (feature) => feature.challenge(request, scope, scopes)) ?? {},
    checkKey: (scope) => {
      for (const feature of checking) feature.checkKey(scope)
    },
    ownTool: (client, call) => first(tools, (feature) => feature.ownTool(client, call)),
    send: sending,
    continues: async (scope, tool, call) =>
      first(continuing, (feature) => feature.continues(scope, tool, call)) ?? false,
    accepted: (scope) => first(accepting, (feature) => feature.accepted(scope)),
    beforeDiscovery: (scope) => {
      for (const feature of discovering) feature.beforeDiscovery(scope)
    },
    catalogStored: (scope, catalog, digest) => {
      for (const feature of storing) feature.catalogStored(scope, catalog, digest)
    },
    ownerOf: (scope, job) => first(owning, (feature) => feature.ownerOf(scope, job)),
    startsJobs: (scope) => starting.some((feature) => feature.startsJobs(scope)),
    noted: (scope, event) => {
      for (const feature of noting) feature.noted(scope, event)
    },
  }
}

/** Of a gateway without features. */
export const NO_HOOKS: Hooks = composed([])
