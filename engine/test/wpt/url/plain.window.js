test(() => assert_equals(location.search, ''), 'a window that needs no document')
