const parts = (u) => [
  u.href,
  u.origin,
  u.protocol,
  u.username,
  u.password,
  u.host,
  u.hostname,
  u.port,
  u.pathname,
  u.search,
  u.hash,
]
const parsed = (text, base) => attempt(() => parts(new URL(text, base)))
const set = (href, name, value) =>
  attempt(() => {
    const u = new URL(href)
    u[name] = value
    return u.href
  })
fact('parse "http://example.com"', parsed('http://example.com'), [
  'http://example.com/',
  'http://example.com',
  'http:',
  '',
  '',
  'example.com',
  'example.com',
  '',
  '/',
  '',
  '',
])
fact('parse "HTTP://EXAMPLE.com:80/"', parsed('HTTP://EXAMPLE.com:80/'), [
  'http://example.com/',
  'http://example.com',
  'http:',
  '',
  '',
  'example.com',
  'example.com',
  '',
  '/',
  '',
  '',
])
fact('parse "https://example.com:443/a"', parsed('https://example.com:443/a'), [
  'https://example.com/a',
  'https://example.com',
  'https:',
  '',
  '',
  'example.com',
  'example.com',
  '',
  '/a',
  '',
  '',
])
fact(
  'parse "https://user:pass@example.com:8443/p/a/t/h?query=1#frag"',
  parsed('https://user:pass@example.com:8443/p/a/t/h?query=1#frag'),
  [
    'https://user:pass@example.com:8443/p/a/t/h?query=1#frag',
    'https://example.com:8443',
    'https:',
    'user',
    'pass',
    'example.com:8443',
    'example.com',
    '8443',
    '/p/a/t/h',
    '?query=1',
    '#frag',
  ],
)
fact('parse "http://user@host/"', parsed('http://user@host/'), [
  'http://user@host/',
  'http://host',
  'http:',
  'user',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://:pw@host/"', parsed('http://:pw@host/'), [
  'http://:pw@host/',
  'http://host',
  'http:',
  '',
  'pw',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://@host/"', parsed('http://@host/'), [
  'http://host/',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a:b@c:d/"', parsed('http://a:b@c:d/'), 'TypeError')
fact('parse "http://host:/"', parsed('http://host:/'), [
  'http://host/',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://host:0/"', parsed('http://host:0/'), [
  'http://host:0/',
  'http://host:0',
  'http:',
  '',
  '',
  'host:0',
  'host',
  '0',
  '/',
  '',
  '',
])
fact('parse "http://host:65535/"', parsed('http://host:65535/'), [
  'http://host:65535/',
  'http://host:65535',
  'http:',
  '',
  '',
  'host:65535',
  'host',
  '65535',
  '/',
  '',
  '',
])
fact('parse "http://host:65536/"', parsed('http://host:65536/'), 'TypeError')
fact('parse "http://host:-1/"', parsed('http://host:-1/'), 'TypeError')
fact('parse "http://host:8a/"', parsed('http://host:8a/'), 'TypeError')
fact('parse "http://host:080/"', parsed('http://host:080/'), [
  'http://host/',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "  http://trim.me/\\t\\n"', parsed('  http://trim.me/\t\n'), [
  'http://trim.me/',
  'http://trim.me',
  'http:',
  '',
  '',
  'trim.me',
  'trim.me',
  '',
  '/',
  '',
  '',
])
fact('parse "ht\\ntp://ho\\tst/pa\\rth"', parsed('ht\ntp://ho\tst/pa\rth'), [
  'http://host/path',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/path',
  '',
  '',
])
fact('parse "http://ex%61mple.com/"', parsed('http://ex%61mple.com/'), [
  'http://example.com/',
  'http://example.com',
  'http:',
  '',
  '',
  'example.com',
  'example.com',
  '',
  '/',
  '',
  '',
])
fact('parse "http://ex ample.com/"', parsed('http://ex ample.com/'), 'TypeError')
fact('parse "http://exa<mple.com/"', parsed('http://exa<mple.com/'), 'TypeError')
fact('parse "http://exa%00mple.com/"', parsed('http://exa%00mple.com/'), 'TypeError')
fact('parse "http://1.2.3.4/"', parsed('http://1.2.3.4/'), [
  'http://1.2.3.4/',
  'http://1.2.3.4',
  'http:',
  '',
  '',
  '1.2.3.4',
  '1.2.3.4',
  '',
  '/',
  '',
  '',
])
fact('parse "http://1.2.3/"', parsed('http://1.2.3/'), [
  'http://1.2.0.3/',
  'http://1.2.0.3',
  'http:',
  '',
  '',
  '1.2.0.3',
  '1.2.0.3',
  '',
  '/',
  '',
  '',
])
fact('parse "http://0x7f.1/"', parsed('http://0x7f.1/'), [
  'http://127.0.0.1/',
  'http://127.0.0.1',
  'http:',
  '',
  '',
  '127.0.0.1',
  '127.0.0.1',
  '',
  '/',
  '',
  '',
])
fact('parse "http://256.1.1.1/"', parsed('http://256.1.1.1/'), 'TypeError')
fact('parse "http://4294967295/"', parsed('http://4294967295/'), [
  'http://255.255.255.255/',
  'http://255.255.255.255',
  'http:',
  '',
  '',
  '255.255.255.255',
  '255.255.255.255',
  '',
  '/',
  '',
  '',
])
fact('parse "http://4294967296/"', parsed('http://4294967296/'), 'TypeError')
fact('parse "http://1.2.3.4.5/"', parsed('http://1.2.3.4.5/'), 'TypeError')
fact('parse "http://0300.0xa8.1/"', parsed('http://0300.0xa8.1/'), [
  'http://192.168.0.1/',
  'http://192.168.0.1',
  'http:',
  '',
  '',
  '192.168.0.1',
  '192.168.0.1',
  '',
  '/',
  '',
  '',
])
fact('parse "http://[::1]/"', parsed('http://[::1]/'), [
  'http://[::1]/',
  'http://[::1]',
  'http:',
  '',
  '',
  '[::1]',
  '[::1]',
  '',
  '/',
  '',
  '',
])
fact('parse "http://[::1]:8080/"', parsed('http://[::1]:8080/'), [
  'http://[::1]:8080/',
  'http://[::1]:8080',
  'http:',
  '',
  '',
  '[::1]:8080',
  '[::1]',
  '8080',
  '/',
  '',
  '',
])
fact('parse "http://[1:2:3:4:5:6:7:8]/"', parsed('http://[1:2:3:4:5:6:7:8]/'), [
  'http://[1:2:3:4:5:6:7:8]/',
  'http://[1:2:3:4:5:6:7:8]',
  'http:',
  '',
  '',
  '[1:2:3:4:5:6:7:8]',
  '[1:2:3:4:5:6:7:8]',
  '',
  '/',
  '',
  '',
])
fact('parse "http://[1::8]/"', parsed('http://[1::8]/'), [
  'http://[1::8]/',
  'http://[1::8]',
  'http:',
  '',
  '',
  '[1::8]',
  '[1::8]',
  '',
  '/',
  '',
  '',
])
fact('parse "http://[::ffff:1.2.3.4]/"', parsed('http://[::ffff:1.2.3.4]/'), [
  'http://[::ffff:102:304]/',
  'http://[::ffff:102:304]',
  'http:',
  '',
  '',
  '[::ffff:102:304]',
  '[::ffff:102:304]',
  '',
  '/',
  '',
  '',
])
fact('parse "http://[::1"', parsed('http://[::1'), 'TypeError')
fact('parse "http://[g::1]/"', parsed('http://[g::1]/'), 'TypeError')
fact('parse "http://[1:2]/"', parsed('http://[1:2]/'), 'TypeError')
fact('parse "http://[]/"', parsed('http://[]/'), 'TypeError')
fact('parse "http:///a"', parsed('http:///a'), [
  'http://a/',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '',
])
fact('parse "http:a"', parsed('http:a'), [
  'http://a/',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '',
])
fact('parse "http:/a"', parsed('http:/a'), [
  'http://a/',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '',
])
fact('parse "http://"', parsed('http://'), 'TypeError')
fact('parse "http://?"', parsed('http://?'), 'TypeError')
fact('parse "https:example.com/a"', parsed('https:example.com/a'), [
  'https://example.com/a',
  'https://example.com',
  'https:',
  '',
  '',
  'example.com',
  'example.com',
  '',
  '/a',
  '',
  '',
])
fact('parse "file:///etc/passwd"', parsed('file:///etc/passwd'), [
  'file:///etc/passwd',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/etc/passwd',
  '',
  '',
])
fact('parse "file:etc"', parsed('file:etc'), [
  'file:///etc',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/etc',
  '',
  '',
])
fact('parse "file://host/path"', parsed('file://host/path'), [
  'file://host/path',
  'null',
  'file:',
  '',
  '',
  'host',
  'host',
  '',
  '/path',
  '',
  '',
])
fact('parse "file:///C:/x/../.."', parsed('file:///C:/x/../..'), [
  'file:///C:/',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/',
  '',
  '',
])
fact('parse "file://localhost/x"', parsed('file://localhost/x'), [
  'file:///x',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/x',
  '',
  '',
])
fact('parse "file:\\\\\\\\x\\\\y"', parsed('file:\\\\x\\y'), [
  'file://x/y',
  'null',
  'file:',
  '',
  '',
  'x',
  'x',
  '',
  '/y',
  '',
  '',
])
fact('parse "mailto:a@b.c"', parsed('mailto:a@b.c'), [
  'mailto:a@b.c',
  'null',
  'mailto:',
  '',
  '',
  '',
  '',
  '',
  'a@b.c',
  '',
  '',
])
fact('parse "data:text/plain,hello world#x"', parsed('data:text/plain,hello world#x'), [
  'data:text/plain,hello world#x',
  'null',
  'data:',
  '',
  '',
  '',
  '',
  '',
  'text/plain,hello world',
  '',
  '#x',
])
fact('parse "javascript:alert(1)"', parsed('javascript:alert(1)'), [
  'javascript:alert(1)',
  'null',
  'javascript:',
  '',
  '',
  '',
  '',
  '',
  'alert(1)',
  '',
  '',
])
fact('parse "blob:https://example.com/uuid"', parsed('blob:https://example.com/uuid'), [
  'blob:https://example.com/uuid',
  'https://example.com',
  'blob:',
  '',
  '',
  '',
  '',
  '',
  'https://example.com/uuid',
  '',
  '',
])
fact('parse "about:blank"', parsed('about:blank'), [
  'about:blank',
  'null',
  'about:',
  '',
  '',
  '',
  '',
  '',
  'blank',
  '',
  '',
])
fact('parse "urn:isbn:1"', parsed('urn:isbn:1'), [
  'urn:isbn:1',
  'null',
  'urn:',
  '',
  '',
  '',
  '',
  '',
  'isbn:1',
  '',
  '',
])
fact('parse "foo://host/path?q#h"', parsed('foo://host/path?q#h'), [
  'foo://host/path?q#h',
  'null',
  'foo:',
  '',
  '',
  'host',
  'host',
  '',
  '/path',
  '?q',
  '#h',
])
fact('parse "foo://host:80"', parsed('foo://host:80'), [
  'foo://host:80',
  'null',
  'foo:',
  '',
  '',
  'host:80',
  'host',
  '80',
  '',
  '',
  '',
])
fact('parse "foo://"', parsed('foo://'), ['foo://', 'null', 'foo:', '', '', '', '', '', '', '', ''])
fact('parse "foo:/a/b/../c"', parsed('foo:/a/b/../c'), [
  'foo:/a/c',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a/c',
  '',
  '',
])
fact('parse "foo:a/b/../c"', parsed('foo:a/b/../c'), [
  'foo:a/b/../c',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  'a/b/../c',
  '',
  '',
])
fact('parse "foo:///x"', parsed('foo:///x'), [
  'foo:///x',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/x',
  '',
  '',
])
fact('parse "foo://h%61st/"', parsed('foo://h%61st/'), [
  'foo://h%61st/',
  'null',
  'foo:',
  '',
  '',
  'h%61st',
  'h%61st',
  '',
  '/',
  '',
  '',
])
fact('parse "foo://[::1]/"', parsed('foo://[::1]/'), [
  'foo://[::1]/',
  'null',
  'foo:',
  '',
  '',
  '[::1]',
  '[::1]',
  '',
  '/',
  '',
  '',
])
fact('parse "foo://ex ample/"', parsed('foo://ex ample/'), 'TypeError')
fact('parse "ws://host:80/"', parsed('ws://host:80/'), [
  'ws://host/',
  'ws://host',
  'ws:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "wss://host:443/"', parsed('wss://host:443/'), [
  'wss://host/',
  'wss://host',
  'wss:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "ftp://host:21/"', parsed('ftp://host:21/'), [
  'ftp://host/',
  'ftp://host',
  'ftp:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a/b/c/../d"', parsed('http://a/b/c/../d'), [
  'http://a/b/d',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b/d',
  '',
  '',
])
fact('parse "http://a/b/./c"', parsed('http://a/b/./c'), [
  'http://a/b/c',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b/c',
  '',
  '',
])
fact('parse "http://a/%2e%2e/b"', parsed('http://a/%2e%2e/b'), [
  'http://a/b',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b',
  '',
  '',
])
fact('parse "http://a/b/.."', parsed('http://a/b/..'), [
  'http://a/',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a/.."', parsed('http://a/..'), [
  'http://a/',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a/b/%2E"', parsed('http://a/b/%2E'), [
  'http://a/b/',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b/',
  '',
  '',
])
fact('parse "http://a/b/..."', parsed('http://a/b/...'), [
  'http://a/b/...',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b/...',
  '',
  '',
])
fact('parse "http://a\\\\b\\\\c"', parsed('http://a\\b\\c'), [
  'http://a/b/c',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b/c',
  '',
  '',
])
fact('parse "http://a/b?c\\\\d"', parsed('http://a/b?c\\d'), [
  'http://a/b?c\\d',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b',
  '?c\\d',
  '',
])
fact('parse "http://a/b c"', parsed('http://a/b c'), [
  'http://a/b%20c',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b%20c',
  '',
  '',
])
fact('parse "http://a/b\\"c<d>`{}"', parsed('http://a/b"c<d>`{}'), [
  'http://a/b%22c%3Cd%3E%60%7B%7D',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b%22c%3Cd%3E%60%7B%7D',
  '',
  '',
])
fact('parse "http://a/?b c\\"d<e>\'f"', parsed('http://a/?b c"d<e>\'f'), [
  'http://a/?b%20c%22d%3Ce%3E%27f',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '?b%20c%22d%3Ce%3E%27f',
  '',
])
fact('parse "http://a/#b c\\"d<e>`f"', parsed('http://a/#b c"d<e>`f'), [
  'http://a/#b%20c%22d%3Ce%3E%60f',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '#b%20c%22d%3Ce%3E%60f',
])
fact('parse "http://a/%zz"', parsed('http://a/%zz'), [
  'http://a/%zz',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/%zz',
  '',
  '',
])
fact('parse "http://a/\\u00fc"', parsed('http://a/\u00fc'), [
  'http://a/%C3%BC',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/%C3%BC',
  '',
  '',
])
fact('parse "http://a/?\\u00fc"', parsed('http://a/?\u00fc'), [
  'http://a/?%C3%BC',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '?%C3%BC',
  '',
])
fact('parse "http://a/#\\u00fc"', parsed('http://a/#\u00fc'), [
  'http://a/#%C3%BC',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '#%C3%BC',
])
fact('parse "http://\\u00fc.de/"', parsed('http://\u00fc.de/'), [
  'http://xn--tda.de/',
  'http://xn--tda.de',
  'http:',
  '',
  '',
  'xn--tda.de',
  'xn--tda.de',
  '',
  '/',
  '',
  '',
])
fact('parse "http://fa\\u00df.de/"', parsed('http://fa\u00df.de/'), [
  'http://xn--fa-hia.de/',
  'http://xn--fa-hia.de',
  'http:',
  '',
  '',
  'xn--fa-hia.de',
  'xn--fa-hia.de',
  '',
  '/',
  '',
  '',
])
fact('parse "http://\\u00d6BB.at/"', parsed('http://\u00d6BB.at/'), [
  'http://xn--bb-eka.at/',
  'http://xn--bb-eka.at',
  'http:',
  '',
  '',
  'xn--bb-eka.at',
  'xn--bb-eka.at',
  '',
  '/',
  '',
  '',
])
fact('parse "http://xn--bcher-kva.de/"', parsed('http://xn--bcher-kva.de/'), [
  'http://xn--bcher-kva.de/',
  'http://xn--bcher-kva.de',
  'http:',
  '',
  '',
  'xn--bcher-kva.de',
  'xn--bcher-kva.de',
  '',
  '/',
  '',
  '',
])
fact('parse "http://xn--/"', parsed('http://xn--/'), 'TypeError', {
  node: ['http://xn--/', 'http://xn--', 'http:', '', '', 'xn--', 'xn--', '', '/', '', ''],
})
fact('parse "http://xn--a/"', parsed('http://xn--a/'), 'TypeError', {
  node: ['http://xn--a/', 'http://xn--a', 'http:', '', '', 'xn--a', 'xn--a', '', '/', '', ''],
})
fact('parse "http://\\u65e5\\u672c\\u8a9e.jp/"', parsed('http://\u65e5\u672c\u8a9e.jp/'), [
  'http://xn--wgv71a119e.jp/',
  'http://xn--wgv71a119e.jp',
  'http:',
  '',
  '',
  'xn--wgv71a119e.jp',
  'xn--wgv71a119e.jp',
  '',
  '/',
  '',
  '',
])
fact('parse "http://\\u2603.net/"', parsed('http://\u2603.net/'), [
  'http://xn--n3h.net/',
  'http://xn--n3h.net',
  'http:',
  '',
  '',
  'xn--n3h.net',
  'xn--n3h.net',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a\\u00adb.c/"', parsed('http://a\u00adb.c/'), [
  'http://ab.c/',
  'http://ab.c',
  'http:',
  '',
  '',
  'ab.c',
  'ab.c',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a\\u3002b/"', parsed('http://a\u3002b/'), [
  'http://a.b/',
  'http://a.b',
  'http:',
  '',
  '',
  'a.b',
  'a.b',
  '',
  '/',
  '',
  '',
])
fact('parse "http://\\uff41.com/"', parsed('http://\uff41.com/'), [
  'http://a.com/',
  'http://a.com',
  'http:',
  '',
  '',
  'a.com',
  'a.com',
  '',
  '/',
  '',
  '',
])
fact('parse "http://\\u200d.com/"', parsed('http://\u200d.com/'), 'TypeError')
fact('parse "http://%E3%81%82.com/"', parsed('http://%E3%81%82.com/'), [
  'http://xn--l8j.com/',
  'http://xn--l8j.com',
  'http:',
  '',
  '',
  'xn--l8j.com',
  'xn--l8j.com',
  '',
  '/',
  '',
  '',
])
fact('parse "http://\\u05d0.com/"', parsed('http://\u05d0.com/'), [
  'http://xn--4db.com/',
  'http://xn--4db.com',
  'http:',
  '',
  '',
  'xn--4db.com',
  'xn--4db.com',
  '',
  '/',
  '',
  '',
])
fact('parse "http://1\\u05d0.com/"', parsed('http://1\u05d0.com/'), 'TypeError')
fact('parse "http://a_b.c/"', parsed('http://a_b.c/'), [
  'http://a_b.c/',
  'http://a_b.c',
  'http:',
  '',
  '',
  'a_b.c',
  'a_b.c',
  '',
  '/',
  '',
  '',
])
fact('parse "http://-a.b/"', parsed('http://-a.b/'), [
  'http://-a.b/',
  'http://-a.b',
  'http:',
  '',
  '',
  '-a.b',
  '-a.b',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a..b/"', parsed('http://a..b/'), [
  'http://a..b/',
  'http://a..b',
  'http:',
  '',
  '',
  'a..b',
  'a..b',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a./"', parsed('http://a./'), [
  'http://a./',
  'http://a.',
  'http:',
  '',
  '',
  'a.',
  'a.',
  '',
  '/',
  '',
  '',
])
fact('parse "http://.a/"', parsed('http://.a/'), [
  'http://.a/',
  'http://.a',
  'http:',
  '',
  '',
  '.a',
  '.a',
  '',
  '/',
  '',
  '',
])
fact('parse "http://./"', parsed('http://./'), [
  'http://./',
  'http://.',
  'http:',
  '',
  '',
  '.',
  '.',
  '',
  '/',
  '',
  '',
])
fact('parse "http://../"', parsed('http://../'), [
  'http://../',
  'http://..',
  'http:',
  '',
  '',
  '..',
  '..',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a/\\u0000b"', parsed('http://a/\u0000b'), [
  'http://a/%00b',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/%00b',
  '',
  '',
])
fact('parse "http://a/?\\u0000"', parsed('http://a/?\u0000'), [
  'http://a/?',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a/#\\u0000"', parsed('http://a/#\u0000'), [
  'http://a/#',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a\\u0000b/"', parsed('http://a\u0000b/'), 'TypeError')
fact('parse "http://a/\\ud800"', parsed('http://a/\ud800'), [
  'http://a/%EF%BF%BD',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/%EF%BF%BD',
  '',
  '',
])
fact('parse "http://a/?\\udc00x"', parsed('http://a/?\udc00x'), [
  'http://a/?%EF%BF%BDx',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '?%EF%BF%BDx',
  '',
])
fact('parse "http://\\ud83d\\ude00/"', parsed('http://\ud83d\ude00/'), [
  'http://xn--e28h/',
  'http://xn--e28h',
  'http:',
  '',
  '',
  'xn--e28h',
  'xn--e28h',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a/\\ud83d\\ude00"', parsed('http://a/\ud83d\ude00'), [
  'http://a/%F0%9F%98%80',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/%F0%9F%98%80',
  '',
  '',
])
fact('parse ""', parsed(''), 'TypeError')
fact('parse "#"', parsed('#'), 'TypeError')
fact('parse "//host"', parsed('//host'), 'TypeError')
fact('parse "/path"', parsed('/path'), 'TypeError')
fact('parse "?q"', parsed('?q'), 'TypeError')
fact('parse "not a url"', parsed('not a url'), 'TypeError')
fact('parse "1http://a"', parsed('1http://a'), 'TypeError')
fact('parse "a-b+c.d:x"', parsed('a-b+c.d:x'), [
  'a-b+c.d:x',
  'null',
  'a-b+c.d:',
  '',
  '',
  '',
  '',
  '',
  'x',
  '',
  '',
])
fact('parse "a_b:x"', parsed('a_b:x'), 'TypeError')
fact('parse "http//a"', parsed('http//a'), 'TypeError')
fact('parse "://x"', parsed('://x'), 'TypeError')
fact('parse "http://a:b:c@d/"', parsed('http://a:b:c@d/'), [
  'http://a:b%3Ac@d/',
  'http://d',
  'http:',
  'a',
  'b%3Ac',
  'd',
  'd',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a@b@c/"', parsed('http://a@b@c/'), [
  'http://a%40b@c/',
  'http://c',
  'http:',
  'a%40b',
  '',
  'c',
  'c',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a:@c/"', parsed('http://a:@c/'), [
  'http://a@c/',
  'http://c',
  'http:',
  'a',
  '',
  'c',
  'c',
  '',
  '/',
  '',
  '',
])
fact('parse "http://%41:%42@c/"', parsed('http://%41:%42@c/'), [
  'http://%41:%42@c/',
  'http://c',
  'http:',
  '%41',
  '%42',
  'c',
  'c',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a%3Ab@c/"', parsed('http://a%3Ab@c/'), [
  'http://a%3Ab@c/',
  'http://c',
  'http:',
  'a%3Ab',
  '',
  'c',
  'c',
  '',
  '/',
  '',
  '',
])
fact('parse "http://\\u00fc:\\u00fc@c/"', parsed('http://\u00fc:\u00fc@c/'), [
  'http://%C3%BC:%C3%BC@c/',
  'http://c',
  'http:',
  '%C3%BC',
  '%C3%BC',
  'c',
  'c',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a|b@c/"', parsed('http://a|b@c/'), [
  'http://a%7Cb@c/',
  'http://c',
  'http:',
  'a%7Cb',
  '',
  'c',
  'c',
  '',
  '/',
  '',
  '',
])
fact('parse "http://host/;a=b"', parsed('http://host/;a=b'), [
  'http://host/;a=b',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/;a=b',
  '',
  '',
])
fact('parse "http://host/a;b?c;d"', parsed('http://host/a;b?c;d'), [
  'http://host/a;b?c;d',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/a;b',
  '?c;d',
  '',
])
fact('parse "http://host?q"', parsed('http://host?q'), [
  'http://host/?q',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '?q',
  '',
])
fact('parse "http://host#h"', parsed('http://host#h'), [
  'http://host/#h',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '#h',
])
fact('parse "http://host?#"', parsed('http://host?#'), [
  'http://host/?#',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://host/?"', parsed('http://host/?'), [
  'http://host/?',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://host/#"', parsed('http://host/#'), [
  'http://host/#',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://host/a//b"', parsed('http://host/a//b'), [
  'http://host/a//b',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/a//b',
  '',
  '',
])
fact('parse "http://host//"', parsed('http://host//'), [
  'http://host//',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '//',
  '',
  '',
])
fact('parse "http://host//a/../.."', parsed('http://host//a/../..'), [
  'http://host/',
  'http://host',
  'http:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "non-special:/..//path"', parsed('non-special:/..//path'), [
  'non-special:/.//path',
  'null',
  'non-special:',
  '',
  '',
  '',
  '',
  '',
  '//path',
  '',
  '',
])
fact('parse "web+demo:/.//not-a-host/"', parsed('web+demo:/.//not-a-host/'), [
  'web+demo:/.//not-a-host/',
  'null',
  'web+demo:',
  '',
  '',
  '',
  '',
  '',
  '//not-a-host/',
  '',
  '',
])
fact('parse "web+demo://host/.."', parsed('web+demo://host/..'), [
  'web+demo://host/',
  'null',
  'web+demo:',
  '',
  '',
  'host',
  'host',
  '',
  '/',
  '',
  '',
])
fact('parse "http://0.0.0.0/"', parsed('http://0.0.0.0/'), [
  'http://0.0.0.0/',
  'http://0.0.0.0',
  'http:',
  '',
  '',
  '0.0.0.0',
  '0.0.0.0',
  '',
  '/',
  '',
  '',
])
fact('parse "http://127.0.0.1:80/"', parsed('http://127.0.0.1:80/'), [
  'http://127.0.0.1/',
  'http://127.0.0.1',
  'http:',
  '',
  '',
  '127.0.0.1',
  '127.0.0.1',
  '',
  '/',
  '',
  '',
])
fact('parse "http://0/"', parsed('http://0/'), [
  'http://0.0.0.0/',
  'http://0.0.0.0',
  'http:',
  '',
  '',
  '0.0.0.0',
  '0.0.0.0',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a.0x/"', parsed('http://a.0x/'), 'TypeError')
fact('parse "http://a.1/"', parsed('http://a.1/'), 'TypeError')
fact('parse "http://1.a/"', parsed('http://1.a/'), [
  'http://1.a/',
  'http://1.a',
  'http:',
  '',
  '',
  '1.a',
  '1.a',
  '',
  '/',
  '',
  '',
])
fact('parse "http://09/"', parsed('http://09/'), 'TypeError')
fact('parse "http://0xg/"', parsed('http://0xg/'), [
  'http://0xg/',
  'http://0xg',
  'http:',
  '',
  '',
  '0xg',
  '0xg',
  '',
  '/',
  '',
  '',
])
fact('parse "http://1e1/"', parsed('http://1e1/'), [
  'http://1e1/',
  'http://1e1',
  'http:',
  '',
  '',
  '1e1',
  '1e1',
  '',
  '/',
  '',
  '',
])
fact('parse "http://example.com./x"', parsed('http://example.com./x'), [
  'http://example.com./x',
  'http://example.com.',
  'http:',
  '',
  '',
  'example.com.',
  'example.com.',
  '',
  '/x',
  '',
  '',
])
fact('parse "http://EXAMPLE%2Ecom/"', parsed('http://EXAMPLE%2Ecom/'), [
  'http://example.com/',
  'http://example.com',
  'http:',
  '',
  '',
  'example.com',
  'example.com',
  '',
  '/',
  '',
  '',
])
fact('parse "http://a/?a=b&c=d"', parsed('http://a/?a=b&c=d'), [
  'http://a/?a=b&c=d',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '?a=b&c=d',
  '',
])
fact(
  'parse "opaque:x  ?q"',
  parsed('opaque:x  ?q'),
  ['opaque:x %20?q', 'null', 'opaque:', '', '', '', '', '', 'x %20', '?q', ''],
  { engine: ['opaque:x  ?q', 'null', 'opaque:', '', '', '', '', '', 'x  ', '?q', ''] },
)
fact(
  'parse "opaque:x  #h"',
  parsed('opaque:x  #h'),
  ['opaque:x %20#h', 'null', 'opaque:', '', '', '', '', '', 'x %20', '', '#h'],
  { engine: ['opaque:x  #h', 'null', 'opaque:', '', '', '', '', '', 'x  ', '', '#h'] },
)
fact('parse "opaque:x  "', parsed('opaque:x  '), [
  'opaque:x',
  'null',
  'opaque:',
  '',
  '',
  '',
  '',
  '',
  'x',
  '',
  '',
])
fact('resolve "" at http://h:81/a/b/c?d#e', parsed('', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/c?d',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/c',
  '?d',
  '',
])
fact('resolve "a" at http://h:81/a/b/c?d#e', parsed('a', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/a',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/a',
  '',
  '',
])
fact('resolve "/a" at http://h:81/a/b/c?d#e', parsed('/a', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a',
  '',
  '',
])
fact('resolve "//h/a" at http://h:81/a/b/c?d#e', parsed('//h/a', 'http://h:81/a/b/c?d#e'), [
  'http://h/a',
  'http://h',
  'http:',
  '',
  '',
  'h',
  'h',
  '',
  '/a',
  '',
  '',
])
fact('resolve "?q" at http://h:81/a/b/c?d#e', parsed('?q', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/c?q',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/c',
  '?q',
  '',
])
fact('resolve "#h" at http://h:81/a/b/c?d#e', parsed('#h', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/c?d#h',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/c',
  '?d',
  '#h',
])
fact('resolve "../x" at http://h:81/a/b/c?d#e', parsed('../x', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/x',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/x',
  '',
  '',
])
fact(
  'resolve "../../../x" at http://h:81/a/b/c?d#e',
  parsed('../../../x', 'http://h:81/a/b/c?d#e'),
  ['http://h:81/x', 'http://h:81', 'http:', '', '', 'h:81', 'h', '81', '/x', '', ''],
)
fact('resolve "./x" at http://h:81/a/b/c?d#e', parsed('./x', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/x',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/x',
  '',
  '',
])
fact(
  'resolve "x/./y/../z" at http://h:81/a/b/c?d#e',
  parsed('x/./y/../z', 'http://h:81/a/b/c?d#e'),
  ['http://h:81/a/b/x/z', 'http://h:81', 'http:', '', '', 'h:81', 'h', '81', '/a/b/x/z', '', ''],
)
fact('resolve "http:x" at http://h:81/a/b/c?d#e', parsed('http:x', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/x',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/x',
  '',
  '',
])
fact('resolve "http:/x" at http://h:81/a/b/c?d#e', parsed('http:/x', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/x',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/x',
  '',
  '',
])
fact('resolve "https:x" at http://h:81/a/b/c?d#e', parsed('https:x', 'http://h:81/a/b/c?d#e'), [
  'https://x/',
  'https://x',
  'https:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "a:b" at http://h:81/a/b/c?d#e', parsed('a:b', 'http://h:81/a/b/c?d#e'), [
  'a:b',
  'null',
  'a:',
  '',
  '',
  '',
  '',
  '',
  'b',
  '',
  '',
])
fact('resolve ";p" at http://h:81/a/b/c?d#e', parsed(';p', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/;p',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/;p',
  '',
  '',
])
fact('resolve "?q#h" at http://h:81/a/b/c?d#e', parsed('?q#h', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/c?q#h',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/c',
  '?q',
  '#h',
])
fact('resolve "\\\\x" at http://h:81/a/b/c?d#e', parsed('\\x', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/x',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/x',
  '',
  '',
])
fact('resolve "//" at http://h:81/a/b/c?d#e', parsed('//', 'http://h:81/a/b/c?d#e'), 'TypeError')
fact('resolve "///x" at http://h:81/a/b/c?d#e', parsed('///x', 'http://h:81/a/b/c?d#e'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "/.." at http://h:81/a/b/c?d#e', parsed('/..', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/',
  '',
  '',
])
fact('resolve "x?" at http://h:81/a/b/c?d#e', parsed('x?', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/x?',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/x',
  '',
  '',
])
fact('resolve "x#" at http://h:81/a/b/c?d#e', parsed('x#', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/x#',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/x',
  '',
  '',
])
fact('resolve ".." at http://h:81/a/b/c?d#e', parsed('..', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/',
  '',
  '',
])
fact('resolve "./" at http://h:81/a/b/c?d#e', parsed('./', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/',
  '',
  '',
])
fact('resolve "C|/x" at http://h:81/a/b/c?d#e', parsed('C|/x', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/a/b/C|/x',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/a/b/C|/x',
  '',
  '',
])
fact('resolve "/C|/x" at http://h:81/a/b/c?d#e', parsed('/C|/x', 'http://h:81/a/b/c?d#e'), [
  'http://h:81/C|/x',
  'http://h:81',
  'http:',
  '',
  '',
  'h:81',
  'h',
  '81',
  '/C|/x',
  '',
  '',
])
fact('resolve "" at file:///C:/a/b', parsed('', 'file:///C:/a/b'), [
  'file:///C:/a/b',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/a/b',
  '',
  '',
])
fact('resolve "a" at file:///C:/a/b', parsed('a', 'file:///C:/a/b'), [
  'file:///C:/a/a',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/a/a',
  '',
  '',
])
fact('resolve "/a" at file:///C:/a/b', parsed('/a', 'file:///C:/a/b'), [
  'file:///C:/a',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/a',
  '',
  '',
])
fact('resolve "//h/a" at file:///C:/a/b', parsed('//h/a', 'file:///C:/a/b'), [
  'file://h/a',
  'null',
  'file:',
  '',
  '',
  'h',
  'h',
  '',
  '/a',
  '',
  '',
])
fact('resolve "?q" at file:///C:/a/b', parsed('?q', 'file:///C:/a/b'), [
  'file:///C:/a/b?q',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/a/b',
  '?q',
  '',
])
fact('resolve "#h" at file:///C:/a/b', parsed('#h', 'file:///C:/a/b'), [
  'file:///C:/a/b#h',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/a/b',
  '',
  '#h',
])
fact('resolve "../x" at file:///C:/a/b', parsed('../x', 'file:///C:/a/b'), [
  'file:///C:/x',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/x',
  '',
  '',
])
fact('resolve "../../../x" at file:///C:/a/b', parsed('../../../x', 'file:///C:/a/b'), [
  'file:///C:/x',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/x',
  '',
  '',
])
fact('resolve "./x" at file:///C:/a/b', parsed('./x', 'file:///C:/a/b'), [
  'file:///C:/a/x',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/a/x',
  '',
  '',
])
fact('resolve "x/./y/../z" at file:///C:/a/b', parsed('x/./y/../z', 'file:///C:/a/b'), [
  'file:///C:/a/x/z',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/a/x/z',
  '',
  '',
])
fact('resolve "http:x" at file:///C:/a/b', parsed('http:x', 'file:///C:/a/b'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "http:/x" at file:///C:/a/b', parsed('http:/x', 'file:///C:/a/b'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "https:x" at file:///C:/a/b', parsed('https:x', 'file:///C:/a/b'), [
  'https://x/',
  'https://x',
  'https:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "a:b" at file:///C:/a/b', parsed('a:b', 'file:///C:/a/b'), [
  'a:b',
  'null',
  'a:',
  '',
  '',
  '',
  '',
  '',
  'b',
  '',
  '',
])
fact('resolve "C|/x" at file:///C:/a/b', parsed('C|/x', 'file:///C:/a/b'), [
  'file:///C:/x',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/x',
  '',
  '',
])
fact('resolve "/.." at file:///C:/a/b', parsed('/..', 'file:///C:/a/b'), [
  'file:///C:/',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/',
  '',
  '',
])
fact('resolve ".." at file:///C:/a/b', parsed('..', 'file:///C:/a/b'), [
  'file:///C:/',
  'null',
  'file:',
  '',
  '',
  '',
  '',
  '',
  '/C:/',
  '',
  '',
])
fact('resolve "" at foo://h/a/b', parsed('', 'foo://h/a/b'), [
  'foo://h/a/b',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a/b',
  '',
  '',
])
fact('resolve "a" at foo://h/a/b', parsed('a', 'foo://h/a/b'), [
  'foo://h/a/a',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a/a',
  '',
  '',
])
fact('resolve "/a" at foo://h/a/b', parsed('/a', 'foo://h/a/b'), [
  'foo://h/a',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a',
  '',
  '',
])
fact('resolve "//h/a" at foo://h/a/b', parsed('//h/a', 'foo://h/a/b'), [
  'foo://h/a',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a',
  '',
  '',
])
fact('resolve "?q" at foo://h/a/b', parsed('?q', 'foo://h/a/b'), [
  'foo://h/a/b?q',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a/b',
  '?q',
  '',
])
fact('resolve "#h" at foo://h/a/b', parsed('#h', 'foo://h/a/b'), [
  'foo://h/a/b#h',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a/b',
  '',
  '#h',
])
fact('resolve "../x" at foo://h/a/b', parsed('../x', 'foo://h/a/b'), [
  'foo://h/x',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/x',
  '',
  '',
])
fact('resolve "../../../x" at foo://h/a/b', parsed('../../../x', 'foo://h/a/b'), [
  'foo://h/x',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/x',
  '',
  '',
])
fact('resolve "./x" at foo://h/a/b', parsed('./x', 'foo://h/a/b'), [
  'foo://h/a/x',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a/x',
  '',
  '',
])
fact('resolve "x/./y/../z" at foo://h/a/b', parsed('x/./y/../z', 'foo://h/a/b'), [
  'foo://h/a/x/z',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a/x/z',
  '',
  '',
])
fact('resolve "http:x" at foo://h/a/b', parsed('http:x', 'foo://h/a/b'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "http:/x" at foo://h/a/b', parsed('http:/x', 'foo://h/a/b'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "https:x" at foo://h/a/b', parsed('https:x', 'foo://h/a/b'), [
  'https://x/',
  'https://x',
  'https:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "a:b" at foo://h/a/b', parsed('a:b', 'foo://h/a/b'), [
  'a:b',
  'null',
  'a:',
  '',
  '',
  '',
  '',
  '',
  'b',
  '',
  '',
])
fact('resolve "C|/x" at foo://h/a/b', parsed('C|/x', 'foo://h/a/b'), [
  'foo://h/a/C|/x',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a/C|/x',
  '',
  '',
])
fact('resolve "/.." at foo://h/a/b', parsed('/..', 'foo://h/a/b'), [
  'foo://h/',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/',
  '',
  '',
])
fact('resolve ".." at foo://h/a/b', parsed('..', 'foo://h/a/b'), [
  'foo://h/',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/',
  '',
  '',
])
fact('resolve "" at mailto:x@y', parsed('', 'mailto:x@y'), 'TypeError')
fact('resolve "a" at mailto:x@y', parsed('a', 'mailto:x@y'), 'TypeError')
fact('resolve "/a" at mailto:x@y', parsed('/a', 'mailto:x@y'), 'TypeError')
fact('resolve "//h/a" at mailto:x@y', parsed('//h/a', 'mailto:x@y'), 'TypeError')
fact('resolve "?q" at mailto:x@y', parsed('?q', 'mailto:x@y'), 'TypeError')
fact('resolve "#h" at mailto:x@y', parsed('#h', 'mailto:x@y'), [
  'mailto:x@y#h',
  'null',
  'mailto:',
  '',
  '',
  '',
  '',
  '',
  'x@y',
  '',
  '#h',
])
fact('resolve "../x" at mailto:x@y', parsed('../x', 'mailto:x@y'), 'TypeError')
fact('resolve "../../../x" at mailto:x@y', parsed('../../../x', 'mailto:x@y'), 'TypeError')
fact('resolve "./x" at mailto:x@y', parsed('./x', 'mailto:x@y'), 'TypeError')
fact('resolve "x/./y/../z" at mailto:x@y', parsed('x/./y/../z', 'mailto:x@y'), 'TypeError')
fact('resolve "http:x" at mailto:x@y', parsed('http:x', 'mailto:x@y'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "http:/x" at mailto:x@y', parsed('http:/x', 'mailto:x@y'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "https:x" at mailto:x@y', parsed('https:x', 'mailto:x@y'), [
  'https://x/',
  'https://x',
  'https:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "a:b" at mailto:x@y', parsed('a:b', 'mailto:x@y'), [
  'a:b',
  'null',
  'a:',
  '',
  '',
  '',
  '',
  '',
  'b',
  '',
  '',
])
fact('resolve "C|/x" at mailto:x@y', parsed('C|/x', 'mailto:x@y'), 'TypeError')
fact('resolve "/.." at mailto:x@y', parsed('/..', 'mailto:x@y'), 'TypeError')
fact('resolve ".." at mailto:x@y', parsed('..', 'mailto:x@y'), 'TypeError')
fact('resolve "" at foo:/a/b', parsed('', 'foo:/a/b'), [
  'foo:/a/b',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a/b',
  '',
  '',
])
fact('resolve "a" at foo:/a/b', parsed('a', 'foo:/a/b'), [
  'foo:/a/a',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a/a',
  '',
  '',
])
fact('resolve "/a" at foo:/a/b', parsed('/a', 'foo:/a/b'), [
  'foo:/a',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a',
  '',
  '',
])
fact('resolve "//h/a" at foo:/a/b', parsed('//h/a', 'foo:/a/b'), [
  'foo://h/a',
  'null',
  'foo:',
  '',
  '',
  'h',
  'h',
  '',
  '/a',
  '',
  '',
])
fact('resolve "?q" at foo:/a/b', parsed('?q', 'foo:/a/b'), [
  'foo:/a/b?q',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a/b',
  '?q',
  '',
])
fact('resolve "#h" at foo:/a/b', parsed('#h', 'foo:/a/b'), [
  'foo:/a/b#h',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a/b',
  '',
  '#h',
])
fact('resolve "../x" at foo:/a/b', parsed('../x', 'foo:/a/b'), [
  'foo:/x',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/x',
  '',
  '',
])
fact('resolve "../../../x" at foo:/a/b', parsed('../../../x', 'foo:/a/b'), [
  'foo:/x',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/x',
  '',
  '',
])
fact('resolve "./x" at foo:/a/b', parsed('./x', 'foo:/a/b'), [
  'foo:/a/x',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a/x',
  '',
  '',
])
fact('resolve "x/./y/../z" at foo:/a/b', parsed('x/./y/../z', 'foo:/a/b'), [
  'foo:/a/x/z',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a/x/z',
  '',
  '',
])
fact('resolve "http:x" at foo:/a/b', parsed('http:x', 'foo:/a/b'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "http:/x" at foo:/a/b', parsed('http:/x', 'foo:/a/b'), [
  'http://x/',
  'http://x',
  'http:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "https:x" at foo:/a/b', parsed('https:x', 'foo:/a/b'), [
  'https://x/',
  'https://x',
  'https:',
  '',
  '',
  'x',
  'x',
  '',
  '/',
  '',
  '',
])
fact('resolve "a:b" at foo:/a/b', parsed('a:b', 'foo:/a/b'), [
  'a:b',
  'null',
  'a:',
  '',
  '',
  '',
  '',
  '',
  'b',
  '',
  '',
])
fact('resolve "C|/x" at foo:/a/b', parsed('C|/x', 'foo:/a/b'), [
  'foo:/a/C|/x',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/a/C|/x',
  '',
  '',
])
fact('resolve "/.." at foo:/a/b', parsed('/..', 'foo:/a/b'), [
  'foo:/',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/',
  '',
  '',
])
fact('resolve ".." at foo:/a/b', parsed('..', 'foo:/a/b'), [
  'foo:/',
  'null',
  'foo:',
  '',
  '',
  '',
  '',
  '',
  '/',
  '',
  '',
])
fact('base is wrong', parsed('a', 'nope'), 'TypeError')
fact('base undefined', parsed('http://a/', undefined), [
  'http://a/',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/',
  '',
  '',
])
fact('base null', parsed('http://a/', null), 'TypeError')
fact('base is an URL', parsed('b', new URL('http://a/')), [
  'http://a/b',
  'http://a',
  'http:',
  '',
  '',
  'a',
  'a',
  '',
  '/b',
  '',
  '',
])
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to "https"',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', 'https'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set protocol of file:///x/y to "https"',
  set('file:///x/y', 'protocol', 'https'),
  'file:///x/y',
)
fact(
  'set protocol of mailto:me@x to "https"',
  set('mailto:me@x', 'protocol', 'https'),
  'mailto:me@x',
)
fact(
  'set protocol of foo://host:5/p to "https"',
  set('foo://host:5/p', 'protocol', 'https'),
  'foo://host:5/p',
)
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to "https:"',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', 'https:'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set protocol of file:///x/y to "https:"',
  set('file:///x/y', 'protocol', 'https:'),
  'file:///x/y',
)
fact(
  'set protocol of mailto:me@x to "https:"',
  set('mailto:me@x', 'protocol', 'https:'),
  'mailto:me@x',
)
fact(
  'set protocol of foo://host:5/p to "https:"',
  set('foo://host:5/p', 'protocol', 'https:'),
  'foo://host:5/p',
)
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to "ftp:foo"',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', 'ftp:foo'),
  'ftp://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set protocol of file:///x/y to "ftp:foo"',
  set('file:///x/y', 'protocol', 'ftp:foo'),
  'file:///x/y',
)
fact(
  'set protocol of mailto:me@x to "ftp:foo"',
  set('mailto:me@x', 'protocol', 'ftp:foo'),
  'mailto:me@x',
)
fact(
  'set protocol of foo://host:5/p to "ftp:foo"',
  set('foo://host:5/p', 'protocol', 'ftp:foo'),
  'foo://host:5/p',
)
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to "foo"',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', 'foo'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set protocol of file:///x/y to "foo"', set('file:///x/y', 'protocol', 'foo'), 'file:///x/y')
fact('set protocol of mailto:me@x to "foo"', set('mailto:me@x', 'protocol', 'foo'), 'foo:me@x')
fact(
  'set protocol of foo://host:5/p to "foo"',
  set('foo://host:5/p', 'protocol', 'foo'),
  'foo://host:5/p',
)
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to "1a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', '1a'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set protocol of file:///x/y to "1a"', set('file:///x/y', 'protocol', '1a'), 'file:///x/y')
fact('set protocol of mailto:me@x to "1a"', set('mailto:me@x', 'protocol', '1a'), 'mailto:me@x')
fact(
  'set protocol of foo://host:5/p to "1a"',
  set('foo://host:5/p', 'protocol', '1a'),
  'foo://host:5/p',
)
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', ''),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set protocol of file:///x/y to ""', set('file:///x/y', 'protocol', ''), 'file:///x/y')
fact('set protocol of mailto:me@x to ""', set('mailto:me@x', 'protocol', ''), 'mailto:me@x')
fact(
  'set protocol of foo://host:5/p to ""',
  set('foo://host:5/p', 'protocol', ''),
  'foo://host:5/p',
)
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to "file"',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', 'file'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set protocol of file:///x/y to "file"', set('file:///x/y', 'protocol', 'file'), 'file:///x/y')
fact('set protocol of mailto:me@x to "file"', set('mailto:me@x', 'protocol', 'file'), 'mailto:me@x')
fact(
  'set protocol of foo://host:5/p to "file"',
  set('foo://host:5/p', 'protocol', 'file'),
  'foo://host:5/p',
)
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to "ws:"',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', 'ws:'),
  'ws://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set protocol of https://u:p@example.com:8080/a/b?q#h to "HTTPS"',
  set('https://u:p@example.com:8080/a/b?q#h', 'protocol', 'HTTPS'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set username of https://u:p@example.com:8080/a/b?q#h to "a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'username', 'a'),
  'https://a:p@example.com:8080/a/b?q#h',
)
fact('set username of file:///x/y to "a"', set('file:///x/y', 'username', 'a'), 'file:///x/y')
fact('set username of mailto:me@x to "a"', set('mailto:me@x', 'username', 'a'), 'mailto:me@x')
fact(
  'set username of foo://host:5/p to "a"',
  set('foo://host:5/p', 'username', 'a'),
  'foo://a@host:5/p',
)
fact(
  'set username of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'username', ''),
  'https://:p@example.com:8080/a/b?q#h',
)
fact('set username of file:///x/y to ""', set('file:///x/y', 'username', ''), 'file:///x/y')
fact('set username of mailto:me@x to ""', set('mailto:me@x', 'username', ''), 'mailto:me@x')
fact(
  'set username of foo://host:5/p to ""',
  set('foo://host:5/p', 'username', ''),
  'foo://host:5/p',
)
fact(
  'set username of https://u:p@example.com:8080/a/b?q#h to "a:b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'username', 'a:b'),
  'https://a%3Ab:p@example.com:8080/a/b?q#h',
)
fact('set username of file:///x/y to "a:b"', set('file:///x/y', 'username', 'a:b'), 'file:///x/y')
fact('set username of mailto:me@x to "a:b"', set('mailto:me@x', 'username', 'a:b'), 'mailto:me@x')
fact(
  'set username of foo://host:5/p to "a:b"',
  set('foo://host:5/p', 'username', 'a:b'),
  'foo://a%3Ab@host:5/p',
)
fact(
  'set username of https://u:p@example.com:8080/a/b?q#h to "\\u00fc"',
  set('https://u:p@example.com:8080/a/b?q#h', 'username', '\u00fc'),
  'https://%C3%BC:p@example.com:8080/a/b?q#h',
)
fact(
  'set username of file:///x/y to "\\u00fc"',
  set('file:///x/y', 'username', '\u00fc'),
  'file:///x/y',
)
fact(
  'set username of mailto:me@x to "\\u00fc"',
  set('mailto:me@x', 'username', '\u00fc'),
  'mailto:me@x',
)
fact(
  'set username of foo://host:5/p to "\\u00fc"',
  set('foo://host:5/p', 'username', '\u00fc'),
  'foo://%C3%BC@host:5/p',
)
fact(
  'set username of https://u:p@example.com:8080/a/b?q#h to "a b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'username', 'a b'),
  'https://a%20b:p@example.com:8080/a/b?q#h',
)
fact('set username of file:///x/y to "a b"', set('file:///x/y', 'username', 'a b'), 'file:///x/y')
fact('set username of mailto:me@x to "a b"', set('mailto:me@x', 'username', 'a b'), 'mailto:me@x')
fact(
  'set username of foo://host:5/p to "a b"',
  set('foo://host:5/p', 'username', 'a b'),
  'foo://a%20b@host:5/p',
)
fact(
  'set username of https://u:p@example.com:8080/a/b?q#h to "@"',
  set('https://u:p@example.com:8080/a/b?q#h', 'username', '@'),
  'https://%40:p@example.com:8080/a/b?q#h',
)
fact('set username of file:///x/y to "@"', set('file:///x/y', 'username', '@'), 'file:///x/y')
fact('set username of mailto:me@x to "@"', set('mailto:me@x', 'username', '@'), 'mailto:me@x')
fact(
  'set username of foo://host:5/p to "@"',
  set('foo://host:5/p', 'username', '@'),
  'foo://%40@host:5/p',
)
fact(
  'set password of https://u:p@example.com:8080/a/b?q#h to "a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'password', 'a'),
  'https://u:a@example.com:8080/a/b?q#h',
)
fact('set password of file:///x/y to "a"', set('file:///x/y', 'password', 'a'), 'file:///x/y')
fact('set password of mailto:me@x to "a"', set('mailto:me@x', 'password', 'a'), 'mailto:me@x')
fact(
  'set password of foo://host:5/p to "a"',
  set('foo://host:5/p', 'password', 'a'),
  'foo://:a@host:5/p',
)
fact(
  'set password of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'password', ''),
  'https://u@example.com:8080/a/b?q#h',
)
fact('set password of file:///x/y to ""', set('file:///x/y', 'password', ''), 'file:///x/y')
fact('set password of mailto:me@x to ""', set('mailto:me@x', 'password', ''), 'mailto:me@x')
fact(
  'set password of foo://host:5/p to ""',
  set('foo://host:5/p', 'password', ''),
  'foo://host:5/p',
)
fact(
  'set password of https://u:p@example.com:8080/a/b?q#h to "a:b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'password', 'a:b'),
  'https://u:a%3Ab@example.com:8080/a/b?q#h',
)
fact('set password of file:///x/y to "a:b"', set('file:///x/y', 'password', 'a:b'), 'file:///x/y')
fact('set password of mailto:me@x to "a:b"', set('mailto:me@x', 'password', 'a:b'), 'mailto:me@x')
fact(
  'set password of foo://host:5/p to "a:b"',
  set('foo://host:5/p', 'password', 'a:b'),
  'foo://:a%3Ab@host:5/p',
)
fact(
  'set password of https://u:p@example.com:8080/a/b?q#h to "\\u00fc"',
  set('https://u:p@example.com:8080/a/b?q#h', 'password', '\u00fc'),
  'https://u:%C3%BC@example.com:8080/a/b?q#h',
)
fact(
  'set password of file:///x/y to "\\u00fc"',
  set('file:///x/y', 'password', '\u00fc'),
  'file:///x/y',
)
fact(
  'set password of mailto:me@x to "\\u00fc"',
  set('mailto:me@x', 'password', '\u00fc'),
  'mailto:me@x',
)
fact(
  'set password of foo://host:5/p to "\\u00fc"',
  set('foo://host:5/p', 'password', '\u00fc'),
  'foo://:%C3%BC@host:5/p',
)
fact(
  'set password of https://u:p@example.com:8080/a/b?q#h to "/"',
  set('https://u:p@example.com:8080/a/b?q#h', 'password', '/'),
  'https://u:%2F@example.com:8080/a/b?q#h',
)
fact('set password of file:///x/y to "/"', set('file:///x/y', 'password', '/'), 'file:///x/y')
fact('set password of mailto:me@x to "/"', set('mailto:me@x', 'password', '/'), 'mailto:me@x')
fact(
  'set password of foo://host:5/p to "/"',
  set('foo://host:5/p', 'password', '/'),
  'foo://:%2F@host:5/p',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x'),
  'https://u:p@x:8080/a/b?q#h',
)
fact('set host of file:///x/y to "x"', set('file:///x/y', 'host', 'x'), 'file://x/x/y')
fact('set host of mailto:me@x to "x"', set('mailto:me@x', 'host', 'x'), 'mailto:me@x')
fact('set host of foo://host:5/p to "x"', set('foo://host:5/p', 'host', 'x'), 'foo://x:5/p')
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x:9"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x:9'),
  'https://u:p@x:9/a/b?q#h',
)
fact('set host of file:///x/y to "x:9"', set('file:///x/y', 'host', 'x:9'), 'file:///x/y')
fact('set host of mailto:me@x to "x:9"', set('mailto:me@x', 'host', 'x:9'), 'mailto:me@x')
fact('set host of foo://host:5/p to "x:9"', set('foo://host:5/p', 'host', 'x:9'), 'foo://x:9/p')
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x:99999"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x:99999'),
  'https://u:p@x:8080/a/b?q#h',
)
fact('set host of file:///x/y to "x:99999"', set('file:///x/y', 'host', 'x:99999'), 'file:///x/y')
fact('set host of mailto:me@x to "x:99999"', set('mailto:me@x', 'host', 'x:99999'), 'mailto:me@x')
fact(
  'set host of foo://host:5/p to "x:99999"',
  set('foo://host:5/p', 'host', 'x:99999'),
  'foo://x:5/p',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x:80"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x:80'),
  'https://u:p@x:80/a/b?q#h',
)
fact('set host of file:///x/y to "x:80"', set('file:///x/y', 'host', 'x:80'), 'file:///x/y')
fact('set host of mailto:me@x to "x:80"', set('mailto:me@x', 'host', 'x:80'), 'mailto:me@x')
fact('set host of foo://host:5/p to "x:80"', set('foo://host:5/p', 'host', 'x:80'), 'foo://x:80/p')
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x/y"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x/y'),
  'https://u:p@x:8080/a/b?q#h',
)
fact('set host of file:///x/y to "x/y"', set('file:///x/y', 'host', 'x/y'), 'file://x/x/y')
fact('set host of mailto:me@x to "x/y"', set('mailto:me@x', 'host', 'x/y'), 'mailto:me@x')
fact('set host of foo://host:5/p to "x/y"', set('foo://host:5/p', 'host', 'x/y'), 'foo://x:5/p')
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x?y"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x?y'),
  'https://u:p@x:8080/a/b?q#h',
)
fact('set host of file:///x/y to "x?y"', set('file:///x/y', 'host', 'x?y'), 'file://x/x/y')
fact('set host of mailto:me@x to "x?y"', set('mailto:me@x', 'host', 'x?y'), 'mailto:me@x')
fact('set host of foo://host:5/p to "x?y"', set('foo://host:5/p', 'host', 'x?y'), 'foo://x:5/p')
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x#y"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x#y'),
  'https://u:p@x:8080/a/b?q#h',
)
fact('set host of file:///x/y to "x#y"', set('file:///x/y', 'host', 'x#y'), 'file://x/x/y')
fact('set host of mailto:me@x to "x#y"', set('mailto:me@x', 'host', 'x#y'), 'mailto:me@x')
fact('set host of foo://host:5/p to "x#y"', set('foo://host:5/p', 'host', 'x#y'), 'foo://x:5/p')
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x\\\\y"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x\\y'),
  'https://u:p@x:8080/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', ''),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x:"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x:'),
  'https://u:p@x:8080/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "[::1]:5"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', '[::1]:5'),
  'https://u:p@[::1]:5/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to ":9"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', ':9'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "a b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'a b'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "\\u00fc.de"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', '\u00fc.de'),
  'https://u:p@xn--tda.de:8080/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "x:9y"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'x:9y'),
  'https://u:p@x:9/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "a@b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', 'a@b'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set host of https://u:p@example.com:8080/a/b?q#h to "1.2"',
  set('https://u:p@example.com:8080/a/b?q#h', 'host', '1.2'),
  'https://u:p@1.0.0.2:8080/a/b?q#h',
)
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to "x"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', 'x'),
  'https://u:p@x:8080/a/b?q#h',
)
fact('set hostname of file:///x/y to "x"', set('file:///x/y', 'hostname', 'x'), 'file://x/x/y')
fact('set hostname of mailto:me@x to "x"', set('mailto:me@x', 'hostname', 'x'), 'mailto:me@x')
fact('set hostname of foo://host:5/p to "x"', set('foo://host:5/p', 'hostname', 'x'), 'foo://x:5/p')
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to "x:9"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', 'x:9'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set hostname of file:///x/y to "x:9"', set('file:///x/y', 'hostname', 'x:9'), 'file:///x/y')
fact('set hostname of mailto:me@x to "x:9"', set('mailto:me@x', 'hostname', 'x:9'), 'mailto:me@x')
fact(
  'set hostname of foo://host:5/p to "x:9"',
  set('foo://host:5/p', 'hostname', 'x:9'),
  'foo://host:5/p',
)
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to "x/y"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', 'x/y'),
  'https://u:p@x:8080/a/b?q#h',
)
fact('set hostname of file:///x/y to "x/y"', set('file:///x/y', 'hostname', 'x/y'), 'file://x/x/y')
fact('set hostname of mailto:me@x to "x/y"', set('mailto:me@x', 'hostname', 'x/y'), 'mailto:me@x')
fact(
  'set hostname of foo://host:5/p to "x/y"',
  set('foo://host:5/p', 'hostname', 'x/y'),
  'foo://x:5/p',
)
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', ''),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set hostname of file:///x/y to ""', set('file:///x/y', 'hostname', ''), 'file:///x/y')
fact('set hostname of mailto:me@x to ""', set('mailto:me@x', 'hostname', ''), 'mailto:me@x')
fact(
  'set hostname of foo://host:5/p to ""',
  set('foo://host:5/p', 'hostname', ''),
  'foo://host:5/p',
)
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to "[::1]"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', '[::1]'),
  'https://u:p@[::1]:8080/a/b?q#h',
)
fact(
  'set hostname of file:///x/y to "[::1]"',
  set('file:///x/y', 'hostname', '[::1]'),
  'file://[::1]/x/y',
)
fact(
  'set hostname of mailto:me@x to "[::1]"',
  set('mailto:me@x', 'hostname', '[::1]'),
  'mailto:me@x',
)
fact(
  'set hostname of foo://host:5/p to "[::1]"',
  set('foo://host:5/p', 'hostname', '[::1]'),
  'foo://[::1]:5/p',
)
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to "a b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', 'a b'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set hostname of file:///x/y to "a b"', set('file:///x/y', 'hostname', 'a b'), 'file:///x/y')
fact('set hostname of mailto:me@x to "a b"', set('mailto:me@x', 'hostname', 'a b'), 'mailto:me@x')
fact(
  'set hostname of foo://host:5/p to "a b"',
  set('foo://host:5/p', 'hostname', 'a b'),
  'foo://host:5/p',
)
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to "\\u00fc"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', '\u00fc'),
  'https://u:p@xn--tda:8080/a/b?q#h',
)
fact(
  'set hostname of file:///x/y to "\\u00fc"',
  set('file:///x/y', 'hostname', '\u00fc'),
  'file://xn--tda/x/y',
)
fact(
  'set hostname of mailto:me@x to "\\u00fc"',
  set('mailto:me@x', 'hostname', '\u00fc'),
  'mailto:me@x',
)
fact(
  'set hostname of foo://host:5/p to "\\u00fc"',
  set('foo://host:5/p', 'hostname', '\u00fc'),
  'foo://%C3%BC:5/p',
)
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to "1.2"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', '1.2'),
  'https://u:p@1.0.0.2:8080/a/b?q#h',
)
fact(
  'set hostname of https://u:p@example.com:8080/a/b?q#h to "a%41"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hostname', 'a%41'),
  'https://u:p@aa:8080/a/b?q#h',
)
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "9"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '9'),
  'https://u:p@example.com:9/a/b?q#h',
)
fact('set port of file:///x/y to "9"', set('file:///x/y', 'port', '9'), 'file:///x/y')
fact('set port of mailto:me@x to "9"', set('mailto:me@x', 'port', '9'), 'mailto:me@x')
fact('set port of foo://host:5/p to "9"', set('foo://host:5/p', 'port', '9'), 'foo://host:9/p')
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', ''),
  'https://u:p@example.com/a/b?q#h',
)
fact('set port of file:///x/y to ""', set('file:///x/y', 'port', ''), 'file:///x/y')
fact('set port of mailto:me@x to ""', set('mailto:me@x', 'port', ''), 'mailto:me@x')
fact('set port of foo://host:5/p to ""', set('foo://host:5/p', 'port', ''), 'foo://host/p')
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "80"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '80'),
  'https://u:p@example.com:80/a/b?q#h',
)
fact('set port of file:///x/y to "80"', set('file:///x/y', 'port', '80'), 'file:///x/y')
fact('set port of mailto:me@x to "80"', set('mailto:me@x', 'port', '80'), 'mailto:me@x')
fact('set port of foo://host:5/p to "80"', set('foo://host:5/p', 'port', '80'), 'foo://host:80/p')
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "443"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '443'),
  'https://u:p@example.com/a/b?q#h',
)
fact('set port of file:///x/y to "443"', set('file:///x/y', 'port', '443'), 'file:///x/y')
fact('set port of mailto:me@x to "443"', set('mailto:me@x', 'port', '443'), 'mailto:me@x')
fact(
  'set port of foo://host:5/p to "443"',
  set('foo://host:5/p', 'port', '443'),
  'foo://host:443/p',
)
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "65536"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '65536'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set port of file:///x/y to "65536"', set('file:///x/y', 'port', '65536'), 'file:///x/y')
fact('set port of mailto:me@x to "65536"', set('mailto:me@x', 'port', '65536'), 'mailto:me@x')
fact(
  'set port of foo://host:5/p to "65536"',
  set('foo://host:5/p', 'port', '65536'),
  'foo://host:5/p',
)
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "9x"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '9x'),
  'https://u:p@example.com:9/a/b?q#h',
)
fact('set port of file:///x/y to "9x"', set('file:///x/y', 'port', '9x'), 'file:///x/y')
fact('set port of mailto:me@x to "9x"', set('mailto:me@x', 'port', '9x'), 'mailto:me@x')
fact('set port of foo://host:5/p to "9x"', set('foo://host:5/p', 'port', '9x'), 'foo://host:9/p')
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "x9"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', 'x9'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact('set port of file:///x/y to "x9"', set('file:///x/y', 'port', 'x9'), 'file:///x/y')
fact('set port of mailto:me@x to "x9"', set('mailto:me@x', 'port', 'x9'), 'mailto:me@x')
fact('set port of foo://host:5/p to "x9"', set('foo://host:5/p', 'port', 'x9'), 'foo://host:5/p')
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "-1"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '-1'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "0"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '0'),
  'https://u:p@example.com:0/a/b?q#h',
)
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "00080"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '00080'),
  'https://u:p@example.com:80/a/b?q#h',
)
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to " 9"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', ' 9'),
  'https://u:p@example.com:8080/a/b?q#h',
)
fact(
  'set port of https://u:p@example.com:8080/a/b?q#h to "9\\t1"',
  set('https://u:p@example.com:8080/a/b?q#h', 'port', '9\t1'),
  'https://u:p@example.com:91/a/b?q#h',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', 'a'),
  'https://u:p@example.com:8080/a?q#h',
)
fact('set pathname of file:///x/y to "a"', set('file:///x/y', 'pathname', 'a'), 'file:///a')
fact('set pathname of mailto:me@x to "a"', set('mailto:me@x', 'pathname', 'a'), 'mailto:me@x')
fact(
  'set pathname of foo://host:5/p to "a"',
  set('foo://host:5/p', 'pathname', 'a'),
  'foo://host:5/a',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "/a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', '/a'),
  'https://u:p@example.com:8080/a?q#h',
)
fact('set pathname of file:///x/y to "/a"', set('file:///x/y', 'pathname', '/a'), 'file:///a')
fact('set pathname of mailto:me@x to "/a"', set('mailto:me@x', 'pathname', '/a'), 'mailto:me@x')
fact(
  'set pathname of foo://host:5/p to "/a"',
  set('foo://host:5/p', 'pathname', '/a'),
  'foo://host:5/a',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', ''),
  'https://u:p@example.com:8080/?q#h',
)
fact('set pathname of file:///x/y to ""', set('file:///x/y', 'pathname', ''), 'file:///')
fact('set pathname of mailto:me@x to ""', set('mailto:me@x', 'pathname', ''), 'mailto:me@x')
fact('set pathname of foo://host:5/p to ""', set('foo://host:5/p', 'pathname', ''), 'foo://host:5')
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "a b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', 'a b'),
  'https://u:p@example.com:8080/a%20b?q#h',
)
fact('set pathname of file:///x/y to "a b"', set('file:///x/y', 'pathname', 'a b'), 'file:///a%20b')
fact('set pathname of mailto:me@x to "a b"', set('mailto:me@x', 'pathname', 'a b'), 'mailto:me@x')
fact(
  'set pathname of foo://host:5/p to "a b"',
  set('foo://host:5/p', 'pathname', 'a b'),
  'foo://host:5/a%20b',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "a?b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', 'a?b'),
  'https://u:p@example.com:8080/a%3Fb?q#h',
)
fact('set pathname of file:///x/y to "a?b"', set('file:///x/y', 'pathname', 'a?b'), 'file:///a%3Fb')
fact('set pathname of mailto:me@x to "a?b"', set('mailto:me@x', 'pathname', 'a?b'), 'mailto:me@x')
fact(
  'set pathname of foo://host:5/p to "a?b"',
  set('foo://host:5/p', 'pathname', 'a?b'),
  'foo://host:5/a%3Fb',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "a#b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', 'a#b'),
  'https://u:p@example.com:8080/a%23b?q#h',
)
fact('set pathname of file:///x/y to "a#b"', set('file:///x/y', 'pathname', 'a#b'), 'file:///a%23b')
fact('set pathname of mailto:me@x to "a#b"', set('mailto:me@x', 'pathname', 'a#b'), 'mailto:me@x')
fact(
  'set pathname of foo://host:5/p to "a#b"',
  set('foo://host:5/p', 'pathname', 'a#b'),
  'foo://host:5/a%23b',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "../x"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', '../x'),
  'https://u:p@example.com:8080/x?q#h',
)
fact('set pathname of file:///x/y to "../x"', set('file:///x/y', 'pathname', '../x'), 'file:///x')
fact('set pathname of mailto:me@x to "../x"', set('mailto:me@x', 'pathname', '../x'), 'mailto:me@x')
fact(
  'set pathname of foo://host:5/p to "../x"',
  set('foo://host:5/p', 'pathname', '../x'),
  'foo://host:5/x',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "\\\\a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', '\\a'),
  'https://u:p@example.com:8080/a?q#h',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "%zz"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', '%zz'),
  'https://u:p@example.com:8080/%zz?q#h',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "\\u00fc"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', '\u00fc'),
  'https://u:p@example.com:8080/%C3%BC?q#h',
)
fact(
  'set pathname of https://u:p@example.com:8080/a/b?q#h to "//x"',
  set('https://u:p@example.com:8080/a/b?q#h', 'pathname', '//x'),
  'https://u:p@example.com:8080//x?q#h',
)
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', 'a'),
  'https://u:p@example.com:8080/a/b?a#h',
)
fact('set search of file:///x/y to "a"', set('file:///x/y', 'search', 'a'), 'file:///x/y?a')
fact('set search of mailto:me@x to "a"', set('mailto:me@x', 'search', 'a'), 'mailto:me@x?a')
fact(
  'set search of foo://host:5/p to "a"',
  set('foo://host:5/p', 'search', 'a'),
  'foo://host:5/p?a',
)
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "?a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', '?a'),
  'https://u:p@example.com:8080/a/b?a#h',
)
fact('set search of file:///x/y to "?a"', set('file:///x/y', 'search', '?a'), 'file:///x/y?a')
fact('set search of mailto:me@x to "?a"', set('mailto:me@x', 'search', '?a'), 'mailto:me@x?a')
fact(
  'set search of foo://host:5/p to "?a"',
  set('foo://host:5/p', 'search', '?a'),
  'foo://host:5/p?a',
)
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "??a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', '??a'),
  'https://u:p@example.com:8080/a/b??a#h',
)
fact('set search of file:///x/y to "??a"', set('file:///x/y', 'search', '??a'), 'file:///x/y??a')
fact('set search of mailto:me@x to "??a"', set('mailto:me@x', 'search', '??a'), 'mailto:me@x??a')
fact(
  'set search of foo://host:5/p to "??a"',
  set('foo://host:5/p', 'search', '??a'),
  'foo://host:5/p??a',
)
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', ''),
  'https://u:p@example.com:8080/a/b#h',
)
fact('set search of file:///x/y to ""', set('file:///x/y', 'search', ''), 'file:///x/y')
fact('set search of mailto:me@x to ""', set('mailto:me@x', 'search', ''), 'mailto:me@x')
fact('set search of foo://host:5/p to ""', set('foo://host:5/p', 'search', ''), 'foo://host:5/p')
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "?"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', '?'),
  'https://u:p@example.com:8080/a/b?#h',
)
fact('set search of file:///x/y to "?"', set('file:///x/y', 'search', '?'), 'file:///x/y?')
fact('set search of mailto:me@x to "?"', set('mailto:me@x', 'search', '?'), 'mailto:me@x?')
fact('set search of foo://host:5/p to "?"', set('foo://host:5/p', 'search', '?'), 'foo://host:5/p?')
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "a b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', 'a b'),
  'https://u:p@example.com:8080/a/b?a%20b#h',
)
fact('set search of file:///x/y to "a b"', set('file:///x/y', 'search', 'a b'), 'file:///x/y?a%20b')
fact('set search of mailto:me@x to "a b"', set('mailto:me@x', 'search', 'a b'), 'mailto:me@x?a%20b')
fact(
  'set search of foo://host:5/p to "a b"',
  set('foo://host:5/p', 'search', 'a b'),
  'foo://host:5/p?a%20b',
)
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "a#b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', 'a#b'),
  'https://u:p@example.com:8080/a/b?a%23b#h',
)
fact('set search of file:///x/y to "a#b"', set('file:///x/y', 'search', 'a#b'), 'file:///x/y?a%23b')
fact('set search of mailto:me@x to "a#b"', set('mailto:me@x', 'search', 'a#b'), 'mailto:me@x?a%23b')
fact(
  'set search of foo://host:5/p to "a#b"',
  set('foo://host:5/p', 'search', 'a#b'),
  'foo://host:5/p?a%23b',
)
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "\\u00fc"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', '\u00fc'),
  'https://u:p@example.com:8080/a/b?%C3%BC#h',
)
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "\'\\"<>"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', '\'"<>'),
  'https://u:p@example.com:8080/a/b?%27%22%3C%3E#h',
)
fact(
  'set search of https://u:p@example.com:8080/a/b?q#h to "a\\tb"',
  set('https://u:p@example.com:8080/a/b?q#h', 'search', 'a\tb'),
  'https://u:p@example.com:8080/a/b?ab#h',
)
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to "a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', 'a'),
  'https://u:p@example.com:8080/a/b?q#a',
)
fact('set hash of file:///x/y to "a"', set('file:///x/y', 'hash', 'a'), 'file:///x/y#a')
fact('set hash of mailto:me@x to "a"', set('mailto:me@x', 'hash', 'a'), 'mailto:me@x#a')
fact('set hash of foo://host:5/p to "a"', set('foo://host:5/p', 'hash', 'a'), 'foo://host:5/p#a')
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to "#a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', '#a'),
  'https://u:p@example.com:8080/a/b?q#a',
)
fact('set hash of file:///x/y to "#a"', set('file:///x/y', 'hash', '#a'), 'file:///x/y#a')
fact('set hash of mailto:me@x to "#a"', set('mailto:me@x', 'hash', '#a'), 'mailto:me@x#a')
fact('set hash of foo://host:5/p to "#a"', set('foo://host:5/p', 'hash', '#a'), 'foo://host:5/p#a')
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to "##a"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', '##a'),
  'https://u:p@example.com:8080/a/b?q##a',
)
fact('set hash of file:///x/y to "##a"', set('file:///x/y', 'hash', '##a'), 'file:///x/y##a')
fact('set hash of mailto:me@x to "##a"', set('mailto:me@x', 'hash', '##a'), 'mailto:me@x##a')
fact(
  'set hash of foo://host:5/p to "##a"',
  set('foo://host:5/p', 'hash', '##a'),
  'foo://host:5/p##a',
)
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', ''),
  'https://u:p@example.com:8080/a/b?q',
)
fact('set hash of file:///x/y to ""', set('file:///x/y', 'hash', ''), 'file:///x/y')
fact('set hash of mailto:me@x to ""', set('mailto:me@x', 'hash', ''), 'mailto:me@x')
fact('set hash of foo://host:5/p to ""', set('foo://host:5/p', 'hash', ''), 'foo://host:5/p')
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to "#"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', '#'),
  'https://u:p@example.com:8080/a/b?q#',
)
fact('set hash of file:///x/y to "#"', set('file:///x/y', 'hash', '#'), 'file:///x/y#')
fact('set hash of mailto:me@x to "#"', set('mailto:me@x', 'hash', '#'), 'mailto:me@x#')
fact('set hash of foo://host:5/p to "#"', set('foo://host:5/p', 'hash', '#'), 'foo://host:5/p#')
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to "a b"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', 'a b'),
  'https://u:p@example.com:8080/a/b?q#a%20b',
)
fact('set hash of file:///x/y to "a b"', set('file:///x/y', 'hash', 'a b'), 'file:///x/y#a%20b')
fact('set hash of mailto:me@x to "a b"', set('mailto:me@x', 'hash', 'a b'), 'mailto:me@x#a%20b')
fact(
  'set hash of foo://host:5/p to "a b"',
  set('foo://host:5/p', 'hash', 'a b'),
  'foo://host:5/p#a%20b',
)
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to "`<>"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', '`<>'),
  'https://u:p@example.com:8080/a/b?q#%60%3C%3E',
)
fact('set hash of file:///x/y to "`<>"', set('file:///x/y', 'hash', '`<>'), 'file:///x/y#%60%3C%3E')
fact('set hash of mailto:me@x to "`<>"', set('mailto:me@x', 'hash', '`<>'), 'mailto:me@x#%60%3C%3E')
fact(
  'set hash of foo://host:5/p to "`<>"',
  set('foo://host:5/p', 'hash', '`<>'),
  'foo://host:5/p#%60%3C%3E',
)
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to "\\u00fc"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', '\u00fc'),
  'https://u:p@example.com:8080/a/b?q#%C3%BC',
)
fact(
  'set hash of https://u:p@example.com:8080/a/b?q#h to "a\\nb"',
  set('https://u:p@example.com:8080/a/b?q#h', 'hash', 'a\nb'),
  'https://u:p@example.com:8080/a/b?q#ab',
)
fact(
  'set href of https://u:p@example.com:8080/a/b?q#h to "http://x/"',
  set('https://u:p@example.com:8080/a/b?q#h', 'href', 'http://x/'),
  'http://x/',
)
fact('set href of file:///x/y to "http://x/"', set('file:///x/y', 'href', 'http://x/'), 'http://x/')
fact('set href of mailto:me@x to "http://x/"', set('mailto:me@x', 'href', 'http://x/'), 'http://x/')
fact(
  'set href of foo://host:5/p to "http://x/"',
  set('foo://host:5/p', 'href', 'http://x/'),
  'http://x/',
)
fact(
  'set href of https://u:p@example.com:8080/a/b?q#h to "nope"',
  set('https://u:p@example.com:8080/a/b?q#h', 'href', 'nope'),
  'TypeError',
)
fact('set href of file:///x/y to "nope"', set('file:///x/y', 'href', 'nope'), 'TypeError')
fact('set href of mailto:me@x to "nope"', set('mailto:me@x', 'href', 'nope'), 'TypeError')
fact('set href of foo://host:5/p to "nope"', set('foo://host:5/p', 'href', 'nope'), 'TypeError')
fact(
  'set href of https://u:p@example.com:8080/a/b?q#h to ""',
  set('https://u:p@example.com:8080/a/b?q#h', 'href', ''),
  'TypeError',
)
fact('set href of file:///x/y to ""', set('file:///x/y', 'href', ''), 'TypeError')
fact('set href of mailto:me@x to ""', set('mailto:me@x', 'href', ''), 'TypeError')
fact('set href of foo://host:5/p to ""', set('foo://host:5/p', 'href', ''), 'TypeError')
fact(
  'set href of https://u:p@example.com:8080/a/b?q#h to "  http://y/ "',
  set('https://u:p@example.com:8080/a/b?q#h', 'href', '  http://y/ '),
  'http://y/',
)
fact(
  'set href of file:///x/y to "  http://y/ "',
  set('file:///x/y', 'href', '  http://y/ '),
  'http://y/',
)
fact(
  'set href of mailto:me@x to "  http://y/ "',
  set('mailto:me@x', 'href', '  http://y/ '),
  'http://y/',
)
fact(
  'set href of foo://host:5/p to "  http://y/ "',
  set('foo://host:5/p', 'href', '  http://y/ '),
  'http://y/',
)
fact(
  'canParse',
  [
    URL.canParse('http://a'),
    URL.canParse('a'),
    URL.canParse('a', 'http://b'),
    URL.canParse('a', 'b'),
    URL.canParse('', 'http://b'),
    URL.canParse('http://a', undefined),
  ],
  [true, false, true, false, true, true],
)
fact(
  'URL.parse',
  [
    URL.parse('http://a').href,
    URL.parse('a'),
    URL.parse('a', 'http://b').href,
    URL.parse('a') === null,
    URL.parse('http://a') instanceof URL,
  ],
  ['http://a/', null, 'http://b/a', true, true],
)
fact(
  'canParse needs an argument',
  thrown(() => URL.canParse()),
  'TypeError',
)
fact(
  'parse needs an argument',
  thrown(() => URL.parse()),
  'TypeError',
)
fact(
  'new URL needs an argument',
  thrown(() => new URL()),
  'TypeError',
)
fact(
  'URL is no function',
  thrown(() => URL('http://a')),
  'TypeError',
)
fact(
  'the code of the error',
  attempt(() => {
    try {
      new URL('x')
    } catch (e) {
      return [e.code, e instanceof TypeError, e.message.startsWith('Invalid URL')]
    }
  }),
  ['ERR_INVALID_URL', true, true],
)
fact(
  'toString, toJSON',
  [
    String(new URL('http://a')),
    JSON.stringify({ u: new URL('http://a') }),
    new URL('http://a').toString(),
    `${new URL('http://a')}`,
  ],
  ['http://a/', '{"u":"http://a/"}', 'http://a/', 'http://a/'],
)
fact(
  'tags',
  [
    Object.prototype.toString.call(new URL('http://a')),
    Object.prototype.toString.call(new URLSearchParams()),
    Object.prototype.toString.call(new URLSearchParams().keys()),
  ],
  ['[object URL]', '[object URLSearchParams]', '[object URLSearchParams Iterator]'],
)
fact('an object with toString', new URL({ toString: () => 'http://a/b' }).href, 'http://a/b')
fact(
  'a symbol',
  thrown(() => new URL(Symbol())),
  'TypeError',
)
fact(
  'toString that throws',
  thrown(
    () =>
      new URL({
        toString() {
          throw new EvalError()
        },
      }),
  ),
  'EvalError',
)
fact(
  'base is read after the text',
  attempt(() => {
    const order = []
    try {
      new URL(
        {
          toString() {
            order.push(1)
            return 'x'
          },
        },
        {
          toString() {
            order.push(2)
            return 'y'
          },
        },
      )
    } catch {}
    return order
  }),
  [1, 2],
)
fact(
  'getters want an URL',
  thrown(() => Object.getOwnPropertyDescriptor(URL.prototype, 'href').get.call({})),
  'TypeError',
)
fact(
  'setters want an URL',
  thrown(() => Object.getOwnPropertyDescriptor(URL.prototype, 'href').set.call({}, 'http://a')),
  'TypeError',
)
fact(
  'origin cannot be set',
  thrown(() => {
    new URL('http://a').origin = 'x'
  }),
  'TypeError',
)
fact(
  'searchParams cannot be set',
  thrown(() => {
    new URL('http://a').searchParams = 'x'
  }),
  'TypeError',
)
fact('own keys', Object.keys(new URL('http://a')).length, 0)
fact(
  'subclass',
  attempt(() => {
    class U extends URL {
      get extra() {
        return this.host
      }
    }
    const u = new U('http://a:1')
    return [u.extra, u instanceof U, u instanceof URL]
  }),
  ['a:1', true, true],
)
fact('long path', new URL('http://a/' + 'x'.repeat(200000)).pathname.length, 200001)
fact(
  'long host',
  attempt(() => new URL('http://' + 'a'.repeat(100000) + '/').host.length),
  100000,
)
fact('long query', new URL('http://a/?' + 'ü'.repeat(50000)).search.length, 300001)
fact('many dots', new URL('http://a/' + '../'.repeat(50000) + 'b').href, 'http://a/b')
fact(
  'a setter during a getter',
  attempt(() => {
    const u = new URL('http://a/')
    u.pathname = {
      toString() {
        u.host = 'changed'
        return '/p'
      },
    }
    return u.href
  }),
  'http://changed/p',
  { node: 'http://a/p' },
)
// searchParams
const u = new URL('http://a/?x=1&y=2')
fact('searchParams is one', u.searchParams === u.searchParams, true)
u.searchParams.append('z', 'a b&c=d+e')
fact('append changes the address', u.href, 'http://a/?x=1&y=2&z=a+b%26c%3Dd%2Be')
u.searchParams.delete('x')
fact('delete changes the address', u.search, '?y=2&z=a+b%26c%3Dd%2Be')
u.search = '?n=1&n=2'
fact('search changes the list', [...u.searchParams].map((p) => p.join('=')).join(), 'n=1,n=2')
u.href = 'http://b/?q=%20+'
fact('href changes the list', [u.searchParams.get('q'), u.searchParams.size], ['  ', 1])
u.searchParams.set('q', 'ü')
fact('set changes the address', u.href, 'http://b/?q=%C3%BC')
u.searchParams.delete('q')
fact('no pairs, no question mark', u.href, 'http://b/')
u.search = ''
fact('an empty search', [u.searchParams.size, u.href], [0, 'http://b/'])
u.hash = 'frag'
u.searchParams.append('a', 'b')
fact('the fragment stays', u.href, 'http://b/?a=b#frag')
fact(
  'a list of an opaque path',
  attempt(() => {
    const m = new URL('mailto:a@b?x=1')
    m.searchParams.append('y', '2')
    return m.href
  }),
  'mailto:a@b?x=1&y=2',
)
const q = (init) => attempt(() => String(new URLSearchParams(init)))
fact('params of ""', q(''), '')
fact('pairs of ""', [...new URLSearchParams('')], [])
fact('params of "?"', q('?'), '')
fact('pairs of "?"', [...new URLSearchParams('?')], [])
fact('params of "a"', q('a'), 'a=')
fact('pairs of "a"', [...new URLSearchParams('a')], [['a', '']])
fact('params of "a="', q('a='), 'a=')
fact('pairs of "a="', [...new URLSearchParams('a=')], [['a', '']])
fact('params of "=a"', q('=a'), '=a')
fact('pairs of "=a"', [...new URLSearchParams('=a')], [['', 'a']])
fact('params of "="', q('='), '=')
fact('pairs of "="', [...new URLSearchParams('=')], [['', '']])
fact('params of "a=b"', q('a=b'), 'a=b')
fact('pairs of "a=b"', [...new URLSearchParams('a=b')], [['a', 'b']])
fact('params of "?a=b"', q('?a=b'), 'a=b')
fact('pairs of "?a=b"', [...new URLSearchParams('?a=b')], [['a', 'b']])
fact('params of "??a=b"', q('??a=b'), '%3Fa=b')
fact('pairs of "??a=b"', [...new URLSearchParams('??a=b')], [['?a', 'b']])
fact('params of "a=b&c=d"', q('a=b&c=d'), 'a=b&c=d')
fact(
  'pairs of "a=b&c=d"',
  [...new URLSearchParams('a=b&c=d')],
  [
    ['a', 'b'],
    ['c', 'd'],
  ],
)
fact('params of "&&a=b&&"', q('&&a=b&&'), 'a=b')
fact('pairs of "&&a=b&&"', [...new URLSearchParams('&&a=b&&')], [['a', 'b']])
fact('params of "a=b=c"', q('a=b=c'), 'a=b%3Dc')
fact('pairs of "a=b=c"', [...new URLSearchParams('a=b=c')], [['a', 'b=c']])
fact('params of "a+b=c+d"', q('a+b=c+d'), 'a+b=c+d')
fact('pairs of "a+b=c+d"', [...new URLSearchParams('a+b=c+d')], [['a b', 'c d']])
fact('params of "a%20b=%2B"', q('a%20b=%2B'), 'a+b=%2B')
fact('pairs of "a%20b=%2B"', [...new URLSearchParams('a%20b=%2B')], [['a b', '+']])
fact('params of "%zz=%"', q('%zz=%'), '%25zz=%25')
fact('pairs of "%zz=%"', [...new URLSearchParams('%zz=%')], [['%zz', '%']])
fact('params of "%C3%BC"', q('%C3%BC'), '%C3%BC=')
fact('pairs of "%C3%BC"', [...new URLSearchParams('%C3%BC')], [['ü', '']])
fact('params of "%ff=%fe"', q('%ff=%fe'), '%EF%BF%BD=%EF%BF%BD')
fact('pairs of "%ff=%fe"', [...new URLSearchParams('%ff=%fe')], [['�', '�']])
fact('params of "\\u00fc=\\u00e9"', q('\u00fc=\u00e9'), '%C3%BC=%C3%A9')
fact('pairs of "\\u00fc=\\u00e9"', [...new URLSearchParams('\u00fc=\u00e9')], [['ü', 'é']])
fact('params of "a;b"', q('a;b'), 'a%3Bb=')
fact('pairs of "a;b"', [...new URLSearchParams('a;b')], [['a;b', '']])
fact('params of "a=b#c"', q('a=b#c'), 'a=b%23c')
fact('pairs of "a=b#c"', [...new URLSearchParams('a=b#c')], [['a', 'b#c']])
fact('params of "\\u0000"', q('\u0000'), '%00=')
fact('pairs of "\\u0000"', [...new URLSearchParams('\u0000')], [['\u0000', '']])
fact('params of "a=\\n"', q('a=\n'), 'a=%0A')
fact('pairs of "a=\\n"', [...new URLSearchParams('a=\n')], [['a', '\n']])
fact('params of "%00"', q('%00'), '%00=')
fact('pairs of "%00"', [...new URLSearchParams('%00')], [['\u0000', '']])
fact('params of "\\ud800=1"', q('\ud800=1'), '%EF%BF%BD=1')
fact('pairs of "\\ud800=1"', [...new URLSearchParams('\ud800=1')], [['�', '1']])
fact('params of "a&a=1&a=2"', q('a&a=1&a=2'), 'a=&a=1&a=2')
fact(
  'pairs of "a&a=1&a=2"',
  [...new URLSearchParams('a&a=1&a=2')],
  [
    ['a', ''],
    ['a', '1'],
    ['a', '2'],
  ],
)
fact('params of "%EF%BB%BFa=1"', q('%EF%BB%BFa=1'), '%EF%BB%BFa=1')
fact('pairs of "%EF%BB%BFa=1"', [...new URLSearchParams('%EF%BB%BFa=1')], [['\ufeffa', '1']])
fact('params of "\\ufeffa=1"', q('\ufeffa=1'), '%EF%BB%BFa=1')
fact('pairs of "\\ufeffa=1"', [...new URLSearchParams('\ufeffa=1')], [['\ufeffa', '1']])
fact(
  'params of "~!\'()*-._=~!\'()*-._"',
  q("~!'()*-._=~!'()*-._"),
  '%7E%21%27%28%29*-._=%7E%21%27%28%29*-._',
)
fact(
  'pairs of "~!\'()*-._=~!\'()*-._"',
  [...new URLSearchParams("~!'()*-._=~!'()*-._")],
  [["~!'()*-._", "~!'()*-._"]],
)
fact('params of "\\ud83d\\ude00"', q('\ud83d\ude00'), '%F0%9F%98%80=')
fact('pairs of "\\ud83d\\ude00"', [...new URLSearchParams('\ud83d\ude00')], [['\ud83d\ude00', '']])
fact('params of nothing', q(), '')
fact('params of null', q(null), 'null=')
fact('params of a number', q(5), '5=')
fact('params of true', q(true), 'true=')
fact('params of a symbol', q(Symbol()), 'TypeError')
fact(
  'params of a record',
  q({ a: 1, b: 'x y', c: null, d: undefined }),
  'a=1&b=x+y&c=null&d=undefined',
)
fact('params of a record with symbols', q({ [Symbol('x')]: 1 }), 'TypeError')
fact(
  'params of a record, only enumerable and own',
  q(Object.create({ up: 1 }, { a: { value: 1, enumerable: true }, b: { value: 2 } })),
  'a=1',
)
fact(
  'params of pairs',
  q([
    ['a', 'b'],
    ['a', 'c'],
  ]),
  'a=b&a=c',
)
fact(
  'params of a Map',
  q(
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
  ),
  'a=1&b=2',
)
fact('params of an iterable of Sets', q(new Set([new Set(['a', 'b'])])), 'a=b')
fact(
  'params of a generator',
  q(
    (function* () {
      yield ['a', 'b']
      yield new Map([['x', 1]]).keys()
    })(),
  ),
  'TypeError',
)
fact('params of pairs of one', q([['a']]), 'TypeError')
fact('params of pairs of three', q([['a', 'b', 'c']]), 'TypeError')
fact('params of a list of strings', q(['ab']), 'TypeError')
fact('params of a list of numbers', q([1]), 'TypeError')
fact('params of an empty list', q([]), '')
fact('params of null in a list', q([null]), 'TypeError')
fact('params of others', q(new URLSearchParams('a=1&b=2')), 'a=1&b=2')
fact(
  'params of a function',
  q(function () {}),
  '',
)
fact('params of a Date', q(new Date(0)), '')
fact('params of a string object', q(Object('ab')), 'TypeError')
fact('params with an iterator that is no function', q({ [Symbol.iterator]: 5 }), 'TypeError')
fact('params with a null iterator', q({ [Symbol.iterator]: null, a: 1 }), 'TypeError')
fact(
  'params with an iterator that throws',
  q({
    [Symbol.iterator]() {
      throw new EvalError()
    },
  }),
  'EvalError',
)
fact(
  'params with a getter that throws',
  q({
    get a() {
      throw new EvalError()
    },
  }),
  'EvalError',
)
fact('params of a proxy', q(new Proxy({ a: 1, b: 2 }, {})), 'a=1&b=2')
fact(
  'params of a revoked proxy',
  attempt(() => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return q(proxy)
  }),
  'TypeError',
)
fact('params of lone surrogates as keys', q({ '\ud800': 1, '\udfff': 2 }), '%EF%BF%BD=2')
const p = new URLSearchParams('b=1&a=2&b=3')
fact(
  'get',
  [p.get('b'), p.get('x'), p.getAll('b'), p.getAll('x'), p.has('a'), p.has('x')],
  ['1', null, ['1', '3'], [], true, false],
)
fact(
  'has with a value',
  [p.has('b', '3'), p.has('b', '2'), p.has('b', undefined), p.has('b', null)],
  [true, false, true, false],
)
fact('size', [p.size, new URLSearchParams().size], [3, 0])
fact(
  'set',
  attempt(() => {
    const s = new URLSearchParams(p)
    s.set('b', 'x')
    s.set('n', 'y')
    return String(s)
  }),
  'b=x&a=2&n=y',
)
fact(
  'delete',
  attempt(() => {
    const s = new URLSearchParams(p)
    s.delete('b')
    return String(s)
  }),
  'a=2',
)
fact(
  'delete with a value',
  attempt(() => {
    const s = new URLSearchParams(p)
    s.delete('b', '3')
    return String(s)
  }),
  'b=1&a=2',
)
fact(
  'delete with undefined',
  attempt(() => {
    const s = new URLSearchParams(p)
    s.delete('b', undefined)
    return String(s)
  }),
  'a=2',
)
fact(
  'sort',
  attempt(() => {
    const s = new URLSearchParams('z=1&a=2&z=0&ü=3&😀=4&ﬀ=5&A=6')
    s.sort()
    return [...s].map((x) => x.join(''))
  }),
  ['A6', 'a2', 'z1', 'z0', 'ü3', '\ud83d\ude004', 'ﬀ5'],
)
fact(
  'sort is stable',
  attempt(() => {
    const s = new URLSearchParams(Array.from({ length: 200 }, (_, i) => [String(i % 7), String(i)]))
    s.sort()
    return [...s.values()].slice(0, 40)
  }),
  [
    '0',
    '7',
    '14',
    '21',
    '28',
    '35',
    '42',
    '49',
    '56',
    '63',
    '70',
    '77',
    '84',
    '91',
    '98',
    '105',
    '112',
    '119',
    '126',
    '133',
    '140',
    '147',
    '154',
    '161',
    '168',
    '175',
    '182',
    '189',
    '196',
    '1',
    '8',
    '15',
    '22',
    '29',
    '36',
    '43',
    '50',
    '57',
    '64',
    '71',
  ],
)
fact(
  'forEach',
  attempt(() => {
    const seen = []
    p.forEach(
      function (v, k, o) {
        seen.push([v, k, o === p, this.me])
      },
      { me: 1 },
    )
    return seen
  }),
  [
    ['1', 'b', true, 1],
    ['2', 'a', true, 1],
    ['3', 'b', true, 1],
  ],
)
fact(
  'forEach without a function',
  thrown(() => p.forEach()),
  'TypeError',
)
fact(
  'forEach with an object',
  thrown(() => p.forEach({})),
  'TypeError',
)
fact(
  'forEach that throws',
  thrown(() =>
    p.forEach(() => {
      throw new EvalError()
    }),
  ),
  'EvalError',
)
fact(
  'forEach sees changes',
  attempt(() => {
    const s = new URLSearchParams('a=1&b=2')
    const seen = []
    s.forEach((v, k) => {
      seen.push(k)
      if (k === 'a') s.append('c', '3')
    })
    return seen
  }),
  ['a', 'b', 'c'],
)
fact(
  'entries',
  [...p.entries()],
  [
    ['b', '1'],
    ['a', '2'],
    ['b', '3'],
  ],
)
fact('keys', [...p.keys()], ['b', 'a', 'b'])
fact('values', [...p.values()], ['1', '2', '3'])
fact(
  'Symbol.iterator is entries',
  [
    URLSearchParams.prototype[Symbol.iterator] === URLSearchParams.prototype.entries,
    Object.keys(URLSearchParams.prototype).includes('entries'),
  ],
  [true, true],
)
fact(
  'an iterator of the iterator',
  attempt(() => {
    const i = p.keys()
    return i[Symbol.iterator]() === i
  }),
  true,
)
fact(
  "the iterator's prototype",
  attempt(() => {
    const proto = Object.getPrototypeOf(p.keys())
    return [
      Object.getPrototypeOf(proto) === Iterator.prototype,
      typeof proto.next,
      proto === Object.getPrototypeOf(p.entries()),
    ]
  }),
  [true, 'function', true],
)
fact(
  'iterator helpers',
  p
    .keys()
    .map((k) => k + k)
    .filter((k) => k !== 'aa')
    .toArray(),
  ['bb', 'bb'],
)
fact(
  'next wants an iterator',
  thrown(() => p.keys().next.call({})),
  'TypeError',
)
fact(
  'next of another kind',
  thrown(() => p.keys().next.call([].keys())),
  'TypeError',
)
fact(
  'after the end',
  attempt(() => {
    const i = new URLSearchParams('a=1').keys()
    return [JSON.stringify(i.next()), JSON.stringify(i.next()), JSON.stringify(i.next())]
  }),
  ['{"value":"a","done":false}', '{"done":true}', '{"done":true}'],
  { node: ['{"done":false,"value":"a"}', '{"done":true}', '{"done":true}'] },
)
fact(
  'an iterator sees what is added',
  attempt(() => {
    const s = new URLSearchParams('a=1')
    const i = s.keys()
    i.next()
    s.append('b', '2')
    return i.next().value
  }),
  'b',
)
fact(
  'an iterator while pairs go',
  attempt(() => {
    const s = new URLSearchParams('a=1&b=2&c=3')
    const seen = []
    for (const [k] of s) {
      seen.push(k)
      s.delete(k)
    }
    return [seen, String(s)]
  }),
  [['a', 'c'], 'b=2'],
)
fact(
  'an iterator while the address changes',
  attempt(() => {
    const v = new URL('http://a/?a=1&b=2')
    const seen = []
    for (const [k] of v.searchParams) {
      seen.push(k)
      v.search = '?x=1&y=2'
    }
    return seen
  }),
  ['a', 'y'],
)
fact(
  'methods want arguments',
  [
    thrown(() => p.get()),
    thrown(() => p.append('a')),
    thrown(() => p.set('a')),
    thrown(() => p.has()),
    thrown(() => p.delete()),
    thrown(() => p.getAll()),
  ],
  ['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'],
)
fact(
  'methods want a list',
  [
    thrown(() => p.get.call({}, 'a')),
    thrown(() => p.sort.call(null)),
    thrown(() => p.forEach.call({}, () => 0)),
  ],
  ['TypeError', 'TypeError', 'TypeError'],
)
fact(
  'URLSearchParams is no function',
  thrown(() => URLSearchParams('a')),
  'TypeError',
)
fact(
  'append converts',
  attempt(() => {
    const s = new URLSearchParams()
    s.append(1, null)
    s.append({ toString: () => 'o' }, [1, 2])
    return String(s)
  }),
  '1=null&o=1%2C2',
)
fact(
  'append of lone surrogates',
  attempt(() => {
    const s = new URLSearchParams()
    s.append('\ud800', '\udc00x')
    return [String(s), s.get('\ufffd'), s.get('\ud801')]
  }),
  ['%EF%BF%BD=%EF%BF%BDx', '�x', '�x'],
)
fact(
  'a method inside a conversion',
  attempt(() => {
    const s = new URLSearchParams('a=1')
    s.append(
      {
        toString() {
          s.delete('a')
          return 'b'
        },
      },
      '2',
    )
    return String(s)
  }),
  'b=2',
)
fact(
  'sort inside a conversion',
  attempt(() => {
    const s = new URLSearchParams('b=1&a=2')
    s.set('b', {
      toString() {
        s.sort()
        s.delete('b')
        return 'x'
      },
    })
    return String(s)
  }),
  'a=2&b=x',
)
fact(
  'toString of many',
  attempt(() => {
    const s = new URLSearchParams()
    for (let i = 0; i < 5000; i++) s.append('k' + i, 'v ' + i)
    return String(s).length
  }),
  62779,
)
for (const [href, origin] of [
  ['blob:https://a.test/x', 'https://a.test'],
  ['blob:ftp://a.test/x', 'null'],
  ['blob:ws://a.test/x', 'null'],
  ['blob:blob:https://a.test/x', 'null'],
  ['blob:', 'null'],
]) {
  fact(`the origin of ${href}`, new URL(href).origin, origin)
}
