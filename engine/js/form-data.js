/** FormData: https://xhr.spec.whatwg.org/#interface-formdata */
import {
  applyTo,
  defineProperty,
  getPrototypeOf,
  splice,
  symbolIterator,
  toStringTag,
} from './primordials.js'
import { define, exposeInterface, needArguments, toScalarText } from './web-idl.js'
import { bytesOfBlobOrFile, isBlob, isFile, makeFile } from './blob.js'

let listOf
export let isFormData
const secret = {}

const toEntry = (operation, count, name, value, filename) => {
  needArguments(count, 2, `FormData.${operation}`)
  const key = toScalarText(name)
  if (!isBlob(value)) {
    if (count > 2)
      throw new TypeError(`FormData.${operation}: a value with a file name must be a Blob`)
    return { name: key, value: toScalarText(value) }
  }
  if (isFile(value) && filename === undefined) return { name: key, value }
  const fileName = filename === undefined ? 'blob' : toScalarText(filename)
  const lastModified = isFile(value) ? value.lastModified : Date.now()
  return {
    name: key,
    value: makeFile(bytesOfBlobOrFile(value), fileName, value.type, lastModified),
  }
}

export class FormData {
  #list = []

  static {
    listOf = (form) => form.#list
    isFormData = (value) => typeof value === 'object' && value !== null && #list in value
  }

  constructor(form = undefined) {
    if (form === secret) return
    if (form !== undefined)
      throw new TypeError('FormData takes no form: there are no HTML elements here')
  }
  append(name, value, filename = undefined) {
    const list = this.#list
    list[list.length] = toEntry('append', arguments.length, name, value, filename)
  }
  delete(name) {
    const list = this.#list
    needArguments(arguments.length, 1, 'FormData.delete')
    const key = toScalarText(name)
    for (let i = list.length - 1; i >= 0; i--) if (list[i].name === key) splice(list, i, 1)
  }
  get(name) {
    const list = this.#list
    needArguments(arguments.length, 1, 'FormData.get')
    const key = toScalarText(name)
    for (let i = 0; i < list.length; i++) if (list[i].name === key) return list[i].value
    return null
  }
  getAll(name) {
    const list = this.#list
    needArguments(arguments.length, 1, 'FormData.getAll')
    const key = toScalarText(name)
    const values = []
    for (let i = 0; i < list.length; i++)
      if (list[i].name === key) values[values.length] = list[i].value
    return values
  }
  has(name) {
    const list = this.#list
    needArguments(arguments.length, 1, 'FormData.has')
    const key = toScalarText(name)
    for (let i = 0; i < list.length; i++) if (list[i].name === key) return true
    return false
  }
  set(name, value, filename = undefined) {
    const list = this.#list
    const entry = toEntry('set', arguments.length, name, value, filename)
    let at = -1
    for (let i = 0; i < list.length; i++) {
      if (list[i].name !== entry.name) continue
      if (at === -1) at = i
      else splice(list, i--, 1)
    }
    list[at === -1 ? list.length : at] = entry
  }
  entries() {
    return iterate(this.#list, (entry) => [entry.name, entry.value])
  }
  keys() {
    return iterate(this.#list, (entry) => entry.name)
  }
  values() {
    return iterate(this.#list, (entry) => entry.value)
  }
  forEach(callback, thisArg = undefined) {
    const list = this.#list
    needArguments(arguments.length, 1, 'FormData.forEach')
    if (typeof callback !== 'function') throw new TypeError('The callback must be a function')
    for (let i = 0; i < list.length; i++)
      applyTo(callback, thisArg, [list[i].value, list[i].name, this])
  }
}

/** An iterator over the list as it is at each step, as Web IDL wants it. */
class FormDataIterator {
  #list
  #item
  #at = 0

  constructor(list, item) {
    this.#list = list
    this.#item = item
  }
  next() {
    const at = this.#at
    if (at >= this.#list.length) return { value: undefined, done: true }
    this.#at = at + 1
    return { value: this.#item(this.#list[at]), done: false }
  }
}
const iteratorPrototype = FormDataIterator.prototype
Object.setPrototypeOf(iteratorPrototype, getPrototypeOf(getPrototypeOf([][symbolIterator]())))
delete iteratorPrototype.constructor
defineProperty(iteratorPrototype, 'next', { enumerable: true })
defineProperty(iteratorPrototype, toStringTag, { value: 'FormData Iterator', configurable: true })
const iterate = (list, item) => new FormDataIterator(list, item)

exposeInterface('FormData', FormData)
define(FormData.prototype, symbolIterator, FormData.prototype.entries)

/** A form of checked entries: `{ name, value }`. */
export function makeFormData(entries) {
  const form = new FormData(secret)
  const list = listOf(form)
  for (let i = 0; i < entries.length; i++) list[i] = entries[i]
  return form
}
export const entriesOf = (form) => listOf(form)
