const fromSecond = 'second'
