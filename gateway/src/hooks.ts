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

/**
 * A chain: each feature may do something itself with what is passed on, or has no interest.
 *
 * @param enter what a feature does, or `undefined`.
 */
function through<F, P, R>(
  features: readonly F[],
  enter: (feature: F, passed: P, next: (passed: P) => R) => R | undefined,
  passed: P,
  last: (passed: P) => R,
  from = 0,
): R {
  for (let place = from; place < features.length; place++) {
    const next = (on: P) => through(features, enter, on, last, place + 1)
    const result = enter(features[place] as F, passed, next)
    if (result !== undefined) return result
  }
  return last(passed)
}

/** @param features in the order in which a request meets them. */
export function composed(features: readonly Feature[]): Hooks {
  const open = having(features, 'isOpen')
  const handling = having(features, 'handle').reduceRight<Hooks['handle']>(
    (next, feature) => (request, scope, last) =>
      feature.handle(request, scope, () => next(request, scope, last)),
    (_request, _scope, last) => last(),
  )
  const around = having(features, 'around')
  const methods = having(features, 'aroundMethod')
  const listing = having(features, 'toolList')
  const finding = having(features, 'foundTools')
  const meaning = having(features, 'callMeant')
  const admitting = having(features, 'admit')
  const grouping = having(features, 'needsGroups')
  const challenging = having(features, 'challenge')
  const checking = having(features, 'checkKey')
  const tools = having(features, 'ownTool')
  const sending = having(features, 'send')
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
    isOpen: (pathname) => open.some((feature) => feature.isOpen(pathname)),
    handle: handling,
    view: (repository) =>
      having(features, 'view').reduce((seen, feature) => feature.view(seen), repository),
    around: (client, call, last) =>
      through(around, (feature, passed, next) => feature.around(client, passed, next), call, last),
    aroundMethod: (about, run) =>
      first(methods, (feature) => feature.aroundMethod(about, run)) ?? run(),
    toolList: (gateway, scope, request, fallback) =>
      first(listing, (feature) => feature.toolList(gateway, scope, request, fallback)),
    foundTools: (gateway, scope, parameters, form) =>
      first(finding, (feature) => feature.foundTools(gateway, scope, parameters, form)),
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
    send: (scope, tool, call, last) =>
      through(
        sending,
        (feature, passed, next) => feature.send(scope, tool, passed, next),
        call,
        last,
      ),
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
