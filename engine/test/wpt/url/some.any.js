// META: title=a title
// META: script=helper.js
// META: script=/url/second.js
test(() => assert_equals(fromHelper + fromSecond, 'helpersecond'), 'scripts share their names')
test(() => assert_equals(parse('x.js'), '/url/x.js'), 'the location is that of the file')
test(() => assert_equals(1, 2), 'a failure')
promise_test(async () => {
  const response = await fetch('data.json')
  assert_equals((await response.json()).a, 1)
}, 'files are served')
promise_test(async () => {
  assert_equals((await fetch('missing.json')).status, 404)
  assert_equals((await fetch('%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/hosts')).status, 404)
}, 'others are not')
promise_test(async () => {
  const response = await fetch('/any/method.py', { method: 'PUT', body: 'text' })
  assert_equals(response.headers.get('x-request-method') + (await response.text()), 'PUTtext')
}, 'programs answer')
