import { describe, expect, it } from 'vitest'
import { contentTypeOk } from './content-type.ts'

const of = (type?: string) =>
  contentTypeOk(new Headers(type === undefined ? {} : { 'content-type': type }))

describe('a body', () => {
  it.each([
    undefined,
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=utf-8',
    'application/json ; charset=utf-8',
    'application/vnd.ftl.call+json',
    'application/json-rpc+json',
  ])('of type %s may be read as JSON', (type) => {
    expect(of(type)).toBe(true)
  })

  // The first three a page may send without a preflight: https://fetch.spec.whatwg.org/#cors-safelisted-request-header
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'text/json',
    'application/jsonp',
    'application/x-ndjson',
    'application/+json',
    'application/json, text/plain',
    '',
  ])('of type %j may not', (type) => {
    expect(of(type)).toBe(false)
  })
})
