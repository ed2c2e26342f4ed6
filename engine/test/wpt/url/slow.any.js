test(() => assert_equals(1, 1), 'before')
promise_test(() => new Promise((resolve) => setTimeout(resolve, 60_000)), 'never done')
