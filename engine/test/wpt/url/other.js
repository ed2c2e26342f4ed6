test(() => {}, 'not a test')
