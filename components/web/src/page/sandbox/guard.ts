/**
 * Runs before an app, in the app's own document. A policy cannot forbid WebRTC in every browser, and each frame of the app
 * has its own constructors. So scripts need a nonce, which is known here only: in another document none of the app's runs.
 */

/** Its text becomes the first script of the app's document, so it uses nothing of this module. */
export function guard(): void {
  const own = document.currentScript as HTMLScriptElement
  const { nonce } = own
  own.remove()

  // Taken now: the app may replace what it finds later, and must not be given the nonce.
  const apply = Reflect.apply.bind(Reflect)
  const method = (of: object, name: string) =>
    Reflect.get(of, name) as (...given: unknown[]) => unknown
  const set = method(Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'nonce') ?? {}, 'set')
  const createElement = method(Document.prototype, 'createElement')
  const evaluate = method(Document.prototype, 'evaluate') as typeof document.evaluate
  const append = method(Element.prototype, 'append')
  const remove = method(Element.prototype, 'remove')
  const hidden = { get: () => '', set: () => undefined }
  for (const kind of ['HTMLElement', 'SVGElement', 'MathMLElement']) {
    const { prototype } = (Reflect.get(globalThis, kind) ?? SVGElement) as typeof Element
    Reflect.defineProperty(prototype, 'nonce', hidden)
  }
  // The report of a violation quotes the policy, and with it the nonce.
  Reflect.defineProperty(SecurityPolicyViolationEvent.prototype, 'originalPolicy', hidden)
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (/^(?:webkit|moz)?RTC|^ReportingObserver$/.test(name))
      Reflect.deleteProperty(globalThis, name)
  }

  /** @returns whether it is a script. */
  const permit = (node: Node): boolean => {
    if ((node as Element).localName !== 'script') return false
    try {
      apply(set, node, [nonce])
    } catch {
      // It only has the name of one.
    }
    return true
  }

  const create = function (this: Document, ...given: unknown[]): Element {
    const made = apply(createElement, this, given) as Element
    permit(made)
    return made
  }
  Reflect.defineProperty(Document.prototype, 'createElement', { value: create, writable: true })

  /** Handlers in attributes are not run by the policy. Each becomes a function, by a script with the nonce. */
  const adopt = (element: Node): void => {
    const path = 'descendant-or-self::*/@*[starts-with(name(), "on")]'
    const found = apply(evaluate, document, [path, element, null, 6, null])
    for (let at = 0; at < found.snapshotLength; at++) {
      const { ownerElement, name, value } = found.snapshotItem(at) as Attr
      const script = apply(create, document, ['script']) as HTMLScriptElement & { run?: unknown }
      script.text = `document.currentScript.run = function (event) {\n${value}\n}`
      apply(append, document.documentElement, [script])
      apply(remove, script, [])
      Object.assign(ownerElement ?? {}, { [name]: script.run })
    }
  }

  new MutationObserver((records) => {
    for (let at = 0; at < records.length; at++) {
      const { addedNodes } = records[at] as MutationRecord
      for (let place = 0; place < addedNodes.length; place++) {
        const node = addedNodes[place] as Node
        if (node.nodeType === 1 && !permit(node)) adopt(node)
      }
    }
  }).observe(document, { childList: true, subtree: true })
}
