/**
 * structuredClone: https://html.spec.whatwg.org/#structuredserializeinternal and its counterpart in one pass.
 * It keeps its own stack, so that deep values need memory only.
 */
import {
  SafeMap,
  SafeSet,
  defineProperty,
  getPrototypeOf,
  hasOwn,
  isDetached,
  mapGet,
  mapSet,
  objectKeys,
  setAdd,
  setHas,
  transferBuffer,
} from './primordials.js'
import {
  exposeOperation,
  needArguments,
  platformPrototypes,
  toDictionary,
  toSequence,
} from './web-idl.js'
import { classId } from './host.js'
import { cannotClone, cloneError, cloneScalar, entriesOf, kindOf } from './clone-kinds.js'

function structuredClone(value, options = undefined) {
  needArguments(arguments.length, 1, 'structuredClone')
  const { transfer } = toDictionary(options, 'structuredClone options')
  const transferred =
    transfer === undefined ? [] : checkTransfer(toSequence(transfer, '"transfer"'))
  const copy = clone(value)
  // The copies are made; a getter that threw on the way has left all buffers as they were.
  for (let i = 0; i < transferred.length; i++) {
    if (isDetached(transferred[i])) throw cannotClone('an ArrayBuffer that was detached meanwhile')
    transferBuffer(transferred[i])
  }
  return copy
}

function checkTransfer(list) {
  for (let i = 0; i < list.length; i++) {
    if (kindOf(list[i]) !== 'ArrayBuffer') {
      throw new DOMException(`Item ${i} of "transfer" must be an ArrayBuffer`, 'DataCloneError')
    }
    if (isDetached(list[i])) {
      throw new DOMException(`Item ${i} of "transfer" is a detached ArrayBuffer`, 'DataCloneError')
    }
    for (let j = 0; j < i; j++) {
      if (list[j] === list[i]) {
        throw new DOMException(`Item ${i} of "transfer" is there twice`, 'DataCloneError')
      }
    }
  }
  return list
}

/** Frames are a linked list: `{ source, copy, keys | entries, at, add, below }`. */
export function clone(root) {
  const memory = new SafeMap()
  let top
  const begin = (value) => {
    if (typeof value !== 'object' || value === null) {
      if (typeof value === 'function' || typeof value === 'symbol') throw cannotClone(value)
      return value
    }
    const known = mapGet(memory, value)
    if (known !== undefined) return known
    const kind = kindOf(value)
    const copy = emptyCopy(value, kind, begin)
    mapSet(memory, value, copy)
    const frame = frameOf(value, copy, kind)
    if (frame !== undefined) {
      frame.below = top
      top = frame
    }
    return copy
  }
  const result = begin(root)
  while (top !== undefined) {
    const frame = top
    if (frame.at >= frame.keys.length) top = frame.below
    else frame.step(frame, begin)
  }
  return result
}

function emptyCopy(value, kind, begin) {
  switch (kind) {
    case 'Object':
      if (isPlatformObject(value)) return cloneScalar(value, kind, begin)
      return {}
    case 'Array': {
      const copy = []
      copy.length = value.length
      return copy
    }
    case 'Map':
      return new SafeMap()
    case 'Set':
      return new SafeSet()
    case 'Error':
      return cloneError(value)
    default:
      return cloneScalar(value, kind, begin)
  }
}

function isPlatformObject(value) {
  for (let proto = getPrototypeOf(value); proto !== null; proto = getPrototypeOf(proto)) {
    if (setHas(platformPrototypes, proto)) return true
    if (classId(proto) === proxyId) return false
  }
  return false
}
const proxyId = classId(new Proxy({}, {}))

function frameOf(source, copy, kind) {
  if (kind === 'Object' || kind === 'Array') {
    if (setHas(platformPrototypes, getPrototypeOf(copy))) return undefined
    return { source, copy, keys: objectKeys(source), at: 0, step: stepProperty, below: undefined }
  }
  if (kind === 'Map' || kind === 'Set') {
    const keys = entriesOf(source, kind)
    return { source, copy, keys, at: 0, step: kind === 'Map' ? stepMap : stepSet, below: undefined }
  }
  if (kind === 'Error' && hasOwn(source, 'cause')) {
    return { source, copy, keys: ['cause'], at: 0, step: stepCause, below: undefined }
  }
  return undefined
}

function stepProperty(frame, begin) {
  const key = frame.keys[frame.at++]
  // A getter may have removed it meanwhile.
  if (!hasOwn(frame.source, key)) return
  put(frame.copy, key, begin(frame.source[key]))
}

/** Never runs a setter that somebody put on a prototype, and treats `__proto__` as a name like any other. */
function put(object, key, value) {
  if (key in object) {
    defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else object[key] = value
}

// A key and its value come one after the other; the key's own parts are copied before the value is read.
function stepMap(frame, begin) {
  const index = frame.at++
  const part = begin(frame.keys[index])
  if (index % 2 === 0) frame.key = part
  else mapSet(frame.copy, frame.key, part)
}

function stepSet(frame, begin) {
  setAdd(frame.copy, begin(frame.keys[frame.at++]))
}

function stepCause(frame, begin) {
  frame.at++
  defineProperty(frame.copy, 'cause', {
    value: begin(frame.source.cause),
    writable: true,
    enumerable: false,
    configurable: true,
  })
}

exposeOperation('structuredClone', structuredClone)
