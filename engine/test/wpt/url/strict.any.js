'use strict'
test(() => {
  const self = (function () {
    return this
  })()
  assert_equals(self, undefined)
}, 'the code is strict')
