const e = new DOMException('m', 'AbortError')
fact('parts', [e.name, e.message, e.code], ['AbortError', 'm', 20])
fact('is an Error', [e instanceof Error, e instanceof DOMException], [true, true])
fact(
  'defaults',
  [new DOMException().name, new DOMException().message, new DOMException().code],
  ['Error', '', 0],
)
fact('stack is text', typeof e.stack, 'string')
fact('String', String(e), 'AbortError: m')
fact('tag', Object.prototype.toString.call(e), '[object DOMException]')
const codes = {
  IndexSizeError: 1,
  NotFoundError: 8,
  NotSupportedError: 9,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidAccessError: 15,
  TypeMismatchError: 17,
  NetworkError: 19,
  AbortError: 20,
  TimeoutError: 23,
  DataCloneError: 25,
  EncodingError: 0,
  OperationError: 0,
  NotAllowedError: 0,
}
for (const [name, code] of Object.entries(codes))
  fact(`code of ${name}`, new DOMException('', name).code, code)
fact(
  'constants',
  [
    DOMException.ABORT_ERR,
    DOMException.DATA_CLONE_ERR,
    e.TIMEOUT_ERR,
    DOMException.prototype.INDEX_SIZE_ERR,
  ],
  [20, 25, 23, 1],
)
fact('length', DOMException.length, 0)
fact(
  'without new',
  thrown(() => DOMException()),
  'TypeError',
)
fact(
  'name on another object',
  thrown(() => Object.getOwnPropertyDescriptor(DOMException.prototype, 'name').get.call({})),
  'TypeError',
)
fact(
  'subclass',
  (() => {
    class A extends DOMException {}
    return [new A('a', 'TimeoutError').code, new A() instanceof A]
  })(),
  [23, true],
)
fact('name is no own property', Object.hasOwn(e, 'name'), false)
