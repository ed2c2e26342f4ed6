// Source text that is nested or long. Each ends with a RangeError or a SyntaxError, or is evaluated.
const N = 100_000
const around = (name, open, middle, close, count = N) => {
  ends(
    `${name}, closed`,
    () => typeof new Function(open.repeat(count) + middle + close.repeat(count)),
  )
  ends(`${name}, open`, () => typeof new Function(open.repeat(count)))
  ends(`${name}, eval`, () => typeof (0, eval)(open.repeat(count) + middle + close.repeat(count)))
  // As deep as the parser goes: what it makes of the text must fit too (scopes, functions in functions, what is freed).
  let [good, bad] = [0, count]
  ends(`${name}, deepest`, () => {
    while (bad - good > 1) {
      const half = (good + bad) >> 1
      try {
        new Function(open.repeat(half) + middle + close.repeat(half))
        good = half
      } catch {
        bad = half
      }
    }
    return good
  })
}
around('parentheses', '(', '1', ')')
around('brackets', '[', '1', ']')
around('braces', '{', '', '}')
around('object literals', '({a:', '1', '})')
around('template literals', '`${', '1', '}`')
around('tagged template literals', 'f`${', '1', '}`')
around('calls', 'f(', '1', ')')
around('new', 'new ', 'f', '')
around('new with arguments', 'new f(', '1', ')')
around('member in brackets', 'a[', '1', ']')
around('function expressions', '(function(){', '', '})')
around('function declarations', 'function f(){', '', '}')
around('async functions', '(async function(){', '', '})')
around('generators', '(function*(){', '', '})')
around('arrow functions', 'a=>', '1', '')
around('arrow functions with parentheses', '()=>', '1', '')
around('arrow functions with bodies', '()=>{', '', '}')
around('arrow default arguments', '(a=', '1', ')=>1')
around('function default arguments', '(function(a=', '1', '){})')
around('methods', '({a(){', '', '}})')
around('getters', '({get a(){', '', '}})')
around('computed keys', '({[', '1', ']:1})')
around('classes', '(class{a(){', '', '}})')
around('class fields', '(class{a=', '1', '})')
around('class heritage', '(class extends ', 'f', '{})')
around('static blocks', '(class{static{', '', '}})')
around('computed class keys', '(class{[', '1', '](){}})')
around('not', '!', '1', '')
around('minus', '- ', '1', '')
around('typeof', 'typeof ', '1', '')
around('void', 'void ', '1', '')
around('delete', 'delete ', 'a', '')
around('increments', '++', 'a', '')
around('power', '2**', '1', '')
around('conditional', '1?', '1', ':1')
around('conditional to the right', '1?1:', '1', '')
around('assignment', 'a=', '1', '')
around('spread', '[...', '[]', ']')
around('if', 'if(1)', ';', '')
around('if else', 'if(1);else ', ';', '')
around('while', 'while(0)', ';', '')
around('do', 'do ', ';', ' while(0)')
around('for', 'for(;0;)', ';', '')
around('for of', 'for(let a of [])', ';', '')
around('for in', 'for(let a in {})', ';', '')
around('try', 'try{', '', '}catch{}')
around('catch', 'try{}catch{', '', '}')
around('finally', 'try{}finally{', '', '}')
around('switch', 'switch(1){case 1:', '', '}')
around('switch of switch', 'switch(', '1', '){}')
around('with', 'with(1)', ';', '')
around('await', '(async()=>await ', '1', ')')
around('yield', '(function*(){yield ', '1', '})')
around('optional chain', 'a?.[', '1', ']')
around('comma', '(1,', '1', ')')
around('in', '(1 in ', 'a', ')')
around('logical and', '(1&&', '1', ')')
around('nullish', '(1??', '1', ')')
around('comparison', '(1<', '1', ')')
around('destructuring of arrays', '[', 'a', ']=1')
around('import call', 'import(', '1', ')')
around('optional call', 'a?.(', '1', ')')
around('regular expression in parentheses', '(/a/,', '1', ')')
around('let', 'let a=()=>{', '', '}')

const deepText = (name, make) => {
  ends(name, () => typeof new Function(make(N)))
  ends(`${name}, a hundred`, () => typeof new Function(make(100)))
}
deepText('labels', (n) => Array.from({ length: n }, (_, i) => `l${i}:`).join('') + ';')
deepText('array pattern', (n) => `let ${'['.repeat(n)}a${']'.repeat(n)}=1`)
deepText('object pattern', (n) => `let ${'{a:'.repeat(n)}b${'}'.repeat(n)}=1`)
deepText('pattern of arguments', (n) => `(function(${'['.repeat(n)}a${']'.repeat(n)}){})`)
deepText('pattern of arrow arguments', (n) => `(${'['.repeat(n)}a${']'.repeat(n)})=>1`)
deepText('pattern of an assignment', (n) => `${'['.repeat(n)}a${']'.repeat(n)}=1`)
deepText('pattern of an object assignment', (n) => `(${'{a:'.repeat(n)}b${'}'.repeat(n)}=1)`)
deepText('rest pattern', (n) => `let ${'[...'.repeat(n)}a${']'.repeat(n)}=1`)
deepText('pattern with defaults', (n) => `let ${'[a=['.repeat(n)}1${']]'.repeat(n)}=1`)
deepText('catch pattern', (n) => `try{}catch(${'['.repeat(n)}a${']'.repeat(n)}){}`)
deepText('for pattern', (n) => `for(let ${'['.repeat(n)}a${']'.repeat(n)} of []);`)

const long = (name, make, count = N) => ends(`long ${name}`, () => typeof new Function(make(count)))
long('member chain', (n) => `a${'.b'.repeat(n)}`)
long('call chain', (n) => `a${'()'.repeat(n)}`)
long('optional chain', (n) => `a${'?.b'.repeat(n)}`)
long('sum', (n) => `1${'+1'.repeat(n)}`)
long('sum of names', (n) => `a${'+a'.repeat(n)}`)
long('string sum', (n) => `'a'${"+'a'".repeat(n)}`)
long('and', (n) => `a${'&&a'.repeat(n)}`)
long('nullish', (n) => `a${'??a'.repeat(n)}`)
long('comma', (n) => `a${',a'.repeat(n)}`)
long('power', (n) => `a${'**a'.repeat(n)}`)
long('array', (n) => `[${'1,'.repeat(n)}]`)
long('arguments', (n) => `f(${'1,'.repeat(n)})`)
long('parameters', (n) => `(function(${Array.from({ length: n }, (_, i) => `a${i}`)}){})`)
long('object', (n) => `({${Array.from({ length: n }, (_, i) => `a${i}:1`)}})`, 20_000)
long('variables', (n) => `let ${Array.from({ length: n }, (_, i) => `a${i}`)}`, 20_000)
long('functions', (n) => `function f(){}`.repeat(n), 20_000)
long('statements', (n) => 'a;'.repeat(n))
long('if else chain', (n) => `${'if(a);else '.repeat(n)};`)
long('switch', (n) => `switch(a){${'case 1:'.repeat(n)}}`)
long('template', (n) => `\`${'${a}'.repeat(n)}\``)
long('class', (n) => `(class{${'a(){}'.repeat(n)}})`, 20_000)
long('name', (n) => 'a'.repeat(n * 10))
long('string', (n) => `'${'a'.repeat(n * 10)}'`)
long('number', (n) => '1'.repeat(n))
long('bigint', (n) => `${'1'.repeat(n)}n`, 20_000)
long('comment', (n) => `/*${'*'.repeat(n * 10)}*/`)
ends('many arguments to a call', () => Math.max(...new Array(N).fill(1)))
ends('many arguments to a function', () =>
  (function () {
    return arguments.length
  })(...new Array(N).fill(1)),
)
ends('many arguments to new', () => new Array(...new Array(N).fill(1)).length)
ends('many arguments to bind', () => Math.max.bind(null, ...new Array(60_000).fill(1))())
ends(
  'many arguments to String.fromCharCode',
  () => String.fromCharCode.apply(null, new Array(N).fill(65)).length,
)
ends('array-like with a great length', () => Math.max.apply(null, { length: 2 ** 32 - 1 }))
