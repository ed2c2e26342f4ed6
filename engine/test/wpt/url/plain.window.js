test(() => assert_equals(location.search, ''), 'the query is empty')
