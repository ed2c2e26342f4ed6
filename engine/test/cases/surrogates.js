// Strings that are not Unicode text, in every place that takes a string.
const lone = '\ud800'
const post = (body) => new Request('http://a/', { method: 'POST', body })
fact('body of a response', await new Response(`${lone}a`).text(), '\ufffda')
fact('body of a request', await post(lone).text(), '\ufffd')
fact('Response.json', await Response.json(`${lone}a`).text(), '"\\ud800a"')
for (const name of [lone, 'a\0b', 'a\u0100', '']) {
  const shown = JSON.stringify(name)
  fact(
    `header of a record: ${shown}`,
    thrown(() => new Headers({ [name]: 'x' })),
    'TypeError',
  )
  fact(
    `header of a list: ${shown}`,
    thrown(() => new Headers([[name, 'x']])),
    'TypeError',
  )
  for (const method of ['append', 'set', 'get', 'has', 'delete']) {
    fact(
      `${method} of ${shown}`,
      thrown(() => new Headers()[method](name, 'x')),
      'TypeError',
    )
  }
  fact(
    `value ${shown}`,
    thrown(() => new Headers({ a: name })),
    name === '' ? 'nothing' : 'TypeError',
  )
  fact(
    `method ${shown}`,
    thrown(() => new Request('http://a/', { method: name })),
    'TypeError',
  )
}
fact(
  'a symbol is no header',
  thrown(() => new Headers({ [Symbol('a')]: 'x' })),
  'TypeError',
)
fact(
  'statusText',
  thrown(() => new Response('', { statusText: lone })),
  'TypeError',
)
fact('statusText of Latin-1', new Response('', { statusText: '\xff' }).statusText, '\xff')
fact('a header of Latin-1', [...new Headers({ A: '\xff ' })], [['a', '\xff']])
