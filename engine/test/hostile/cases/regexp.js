// Regular expressions that are nested, long or slow. None traps; what takes too long ends with an error.
const N = 100_000
const pattern = (name, source, flags = '') => {
  ends(name, () => new RegExp(source, flags).test('a'.repeat(18)))
}
const around = (name, open, middle, close, flags) => {
  pattern(name, open.repeat(N) + middle + close.repeat(N), flags)
  pattern(`${name}, open`, open.repeat(N), flags)
  let [good, bad] = [0, N]
  ends(`${name}, deepest`, () => {
    while (bad - good > 1) {
      const half = (good + bad) >> 1
      try {
        new RegExp(open.repeat(half) + middle + close.repeat(half), flags).test('aaaa')
        good = half
      } catch {
        bad = half
      }
    }
    return good
  })
}
around('groups', '(', 'a', ')')
around('groups that do not capture', '(?:', 'a', ')')
around('lookahead', '(?=', 'a', ')')
around('negative lookahead', '(?!', 'a', ')')
around('lookbehind', '(?<=', 'a', ')')
around('negative lookbehind', '(?<!', 'a', ')')
around('repeated groups', '(?:', 'a', ')*')
around('lazily repeated groups', '(?:', 'a', ')*?')
around('counted groups', '(?:', 'a', '){2}')
around('alternatives', '(?:a|', 'a', ')')
around('modifiers', '(?i:', 'a', ')')
around('classes of the v flag', '[', 'a', ']', 'v')
around('negated classes of the v flag', '[^', 'a', ']', 'v')
around('intersections', '[a&&', 'a', ']', 'v')
around('differences', '[a--', 'a', ']', 'v')
pattern('brackets', '['.repeat(N))
pattern('long alternative', 'a|'.repeat(N))
pattern('long sequence', 'a'.repeat(N))
pattern('long class', `[${'a'.repeat(N)}]`)
pattern('many captures', '(a)'.repeat(N))
pattern('200 captures', '(a)'.repeat(200))
pattern('many stars', 'a*'.repeat(1000))
pattern('great count', 'a{2147483647}')
pattern('counts in counts', '(?:(?:(?:a{9999}){9999}){9999}){9999}')
pattern('back references', '(a*)\\1\\1\\1\\1\\1\\1b')
pattern('string properties', '[\\p{RGI_Emoji}--\\q{a|b}]', 'v')
// From the first place only: from each later one, the way is shorter.
ends('long subject', () => /^(?:a|b)*c/.test('ab'.repeat(50_000)))
ends('long subject with captures', () => /^(a|b)*c/.test('ab'.repeat(50_000)))
ends('long lazy subject', () => /^(?:a|b)*?c/.test('ab'.repeat(50_000)))
